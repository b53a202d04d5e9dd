import Foundation
import Ports
import Testing

@testable import VAST

@Suite struct MacroExpanderTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var isStrict: Bool
        var context: MacroExpander.Context
        var template: String
        var values: MacroValues
        var expected: String
        var testDescription: String { name }
    }

    static let vectors: [Vector] = {
        // Without the folder there are no vectors, and the test below says so.
        guard Conformance.isPresent, let list = try? Conformance.json("vectors/macros.json")["vectors"]?.arrayValue
        else {
            return []
        }
        return list.compactMap { entry in
            guard let name = entry["name"]?.stringValue, let level = entry["level"]?.stringValue,
                let contextName = entry["context"]?.stringValue,
                let context = MacroExpander.Context(rawValue: contextName),
                let template = entry["template"]?.stringValue, let expected = entry["expected"]?.stringValue
            else { return nil }
            return Vector(
                name: name, isStrict: level == "standard", context: context, template: template,
                values: values(entry["values"]?.objectValue ?? JSONObject()), expected: expected)
        }
    }()

    private static func values(_ object: JSONObject) -> MacroValues {
        var values = MacroValues()
        for member in object.members {
            if member.name.hasSuffix("_ms"), let time = member.value.integerValue {
                guard let name = MacroName(rawValue: String(member.name.dropLast(3))) else { continue }
                values[name] = .playhead(milliseconds: time)
                continue
            }
            guard let name = MacroName(rawValue: member.name) else { continue }
            values[name] = value(member.value, of: name)
        }
        return values
    }

    private static func value(_ json: JSONValue, of name: MacroName) -> MacroValue? {
        switch (name, json) {
        case (.cacheBusting, .integer(let number)): return .eightDigits(UInt64(number))
        case (_, .integer(let number)): return .number(Int(number))
        case (_, .bool(let flag)): return .flag(flag)
        case (_, .string(let text)): return .text(text)
        case (.contentID, .array(let pair)):
            return .registered(pair[0].stringValue ?? "", pair[1].stringValue ?? "")
        case (.universalAdID, .array(let pairs)):
            return .list(pairs.map { "\($0.arrayValue?[0].stringValue ?? "") \($0.arrayValue?[1].stringValue ?? "")" })
        case (_, .array(let members)): return .list(members.map { $0.stringValue ?? $0.text() })
        case (.timestamp, _): return timestamp(json)
        default:
            if json["withheld"]?.boolValue == true { return .withheld }
            return json["not_applicable"]?.boolValue == true ? .notApplicable : nil
        }
    }

    private static func timestamp(_ json: JSONValue) -> MacroValue? {
        guard let text = json["instant"]?.stringValue, let zone = json["zone"]?.stringValue else { return nil }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = try? style.parse(text) else { return nil }
        let parts = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
        let offset = parts.count == 2 ? parts[0] * 60 + parts[1] : 0
        let time = UnixTime(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
        return .timestamp(time, offsetMinutes: zone.hasPrefix("-") ? -offset : offset)
    }

    @Test(.enabled(if: Conformance.isPresent, "\(Conformance.absence)"))
    func vectorsAreThere() {
        #expect(Self.vectors.count == 47)
    }

    @Test(.enabled(if: Conformance.isPresent, "\(Conformance.absence)"), arguments: vectors)
    func expandsAsTheVectorSays(vector: Vector) {
        let expander = MacroExpander(values: vector.values, isStrict: vector.isStrict)
        #expect(expander.url(vector.template, in: vector.context) == vector.expected)
    }

    @Test func thereAre59Macros() {
        #expect(MacroName.allCases.count == 59)
    }

    @Test func userValuesWinAndReachUnlistedNames() {
        var values = MacroValues()
        values[.ifa] = .withheld
        values.custom = ["IFA": "a b", "FOO": "1"]
        let expansion = MacroExpander(values: values).expand("https://t.example.test/?[IFA]&[FOO]&[BAR]", in: .tracking)
        #expect(expansion.url == "https://t.example.test/?a%20b&1&[BAR]")
        #expect(expansion.steps.map(\.reason) == [.user, .user, .unlisted])
    }

    @Test func explainsWhatItLeaves() {
        let steps = MacroExpander(values: MacroValues()).expand("[ERRORCODE][cachebusting][DOMAIN]", in: .tracking)
            .steps
        #expect(steps.map(\.reason) == [.wrongContext, .wrongCase, .unknown])
        #expect(steps.map(\.isLeft) == [true, true, false])
    }

    @Test func requestTargetsAreLegalAndStable() {
        let text = "https://t.example.test/a b\n?x=é|%20&[M]"
        let target = PercentEncoding.requestTarget(text)
        #expect(target == "https://t.example.test/a%20b?x=%C3%A9%7C%20&[M]")
        #expect(PercentEncoding.requestTarget(target) == target)
    }

    @Test func aUsersListKeepsItsCommas() {
        var values = MacroValues()
        values.custom = ["ADCATEGORIES": "a/b,c d", "IFA": "a,b", "FOO": "x,y"]
        let expansion = MacroExpander(values: values).expand(
            "https://t/?[ADCATEGORIES]&[IFA]&[FOO]&[foo]", in: .request)
        #expect(expansion.url == "https://t/?a%2Fb,c%20d&a%2Cb&x%2Cy&[foo]")
        #expect(expansion.steps.map(\.reason) == [.user, .user, .user, .unlisted])
        #expect(expansion.steps.allSatisfy { !$0.reason.explanation.isEmpty })
    }
}
