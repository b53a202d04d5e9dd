import Foundation
import Ports
import VAST

/// Vectors of macros.
enum MacroVectors {
    /// Macro expansions: a template, typed values and the URL.
    static let macros = VectorKind(name: "vast-macros") { document, folder in
        guard document.schema == nil, let vectors = document.root.value["vectors"]?.arrayValue, !vectors.isEmpty,
            vectors.allSatisfy({ $0["template"] != nil && $0["values"] != nil })
        else { return nil }
        return folder.claim(document, kind: "vast-macros", casesIn: "vectors") { node throws(VectorProblem) in
            let context = try node.member("context")
            guard let known = MacroExpander.Context(rawValue: try context.text()) else {
                throw VectorProblem(path: context.path, message: "unknown context")
            }
            let level = try node.member("level").text()
            let expander = MacroExpander(
                values: try MacroVectorValues.read(try node.member("values")), isStrict: level == "standard")
            let url = expander.url(try node.member("template").text(), in: known)
            let expected = try node.member("expected")
            return Difference.check(expected.path, expected: expected.value, actual: .string(url))
        }
    }
}

/// The typed values of a macro vector.
private enum MacroVectorValues {
    /// Members that describe the circumstances of a value and are not values: whether a player that lacks Open
    /// Measurement would have to fill the macro.
    private static let circumstances: Set = ["om_supported"]

    static func read(_ node: VectorNode) throws(VectorProblem) -> MacroValues {
        var values = MacroValues()
        for (name, node) in try node.members() {
            if name.hasSuffix("_ms"), let macro = MacroName(rawValue: String(name.dropLast(3))) {
                values[macro] = .playhead(milliseconds: try node.integer())
            } else if let macro = MacroName(rawValue: name) {
                values[macro] = try value(node, of: macro)
            } else if circumstances.contains(name) {
                _ = try node.flag()
            } else if name.allSatisfy({ $0.isUppercase || $0 == "_" }) {
                values.custom[name] = try node.text()
            } else {
                throw VectorProblem(path: node.path, message: "unknown name of a value")
            }
        }
        return values
    }

    private static func value(_ node: VectorNode, of name: MacroName) throws(VectorProblem) -> MacroValue {
        switch node.value {
        case .integer(let number) where name == .cacheBusting && number >= 0: return .eightDigits(UInt64(number))
        case .integer: return .number(try node.count())
        case .bool(let flag): return .flag(flag)
        case .string(let text): return .text(text)
        case .array: return try list(node, of: name)
        default: break
        }
        if name == .timestamp { return try timestamp(node) }
        if node.value["withheld"]?.boolValue == true { return .withheld }
        if node.value["not_applicable"]?.boolValue == true { return .notApplicable }
        throw VectorProblem(path: node.path, message: "unknown form of a value")
    }

    /// `[registry, id]`, a list of such pairs, or plain members.
    private static func list(_ node: VectorNode, of name: MacroName) throws(VectorProblem) -> MacroValue {
        if name == .contentID {
            let pair = try node.list(count: 2)
            return .registered(try pair[0].text(), try pair[1].text())
        }
        var members: [String] = []
        for member in try node.list() {
            if name == .universalAdID, member.value.arrayValue != nil {
                let pair = try member.list(count: 2)
                members.append("\(try pair[0].text()) \(try pair[1].text())")
            } else {
                members.append(member.value.stringValue ?? member.value.text())
            }
        }
        return .list(members)
    }

    private static func timestamp(_ node: VectorNode) throws(VectorProblem) -> MacroValue {
        let instant = try node.member("instant")
        let zone = try node.member("zone").text()
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // The reason does not matter to the reader of the vector.
        guard let date = try? style.parse(try instant.text()) else {
            throw VectorProblem(path: instant.path, message: "expected an instant with milliseconds and zone")
        }
        let parts = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
        let offset = parts.count == 2 ? min(24, parts[0]) * 60 + min(59, parts[1]) : 0
        let time = UnixTime(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
        return .timestamp(time, offsetMinutes: zone.hasPrefix("-") ? -offset : offset)
    }
}
