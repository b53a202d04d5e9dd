import Ports

/// One value of a write to Prebid Cache (CACHE-7).
package struct PrebidCachePut: Hashable, Sendable {
    package enum Form: String, Hashable, Sendable {
        case xml, json
    }

    package var form: Form
    /// XML without the quotes of its JSON string; JSON as written.
    package var body: [UInt8]
    /// The time to live; nil or zero means the longest.
    package var life: Duration?
    /// The id that the client requests; nil for a random one.
    package var key: CreativeID?

    /// Most characters of an input text repeated in an error.
    private static let echoLength = 200

    /// Parses all values of `{"puts": […]}`, or throws the reason why none is stored.
    package static func read(
        _ body: [UInt8], rules: LoopbackRules
    ) throws(PrebidCacheProblem) -> [PrebidCachePut] {
        let document: JSONValue
        do throws(JSONProblem) {
            document = try JSONReader.read(body)
        } catch {
            throw .notJSON(echo: body)
        }
        guard document.objectValue != nil else { throw .notJSON(echo: body) }
        let list = document["puts"] ?? .array([])
        guard let members = list.arrayValue, members.allSatisfy(Self.isReadable) else {
            throw .notJSON(echo: body)
        }
        guard members.count <= rules.maximumValues else { throw .tooManyValues(limit: rules.maximumValues) }
        let texts = JSONSlices.elements(ofMember: "puts", in: body)
        var puts: [PrebidCachePut] = []
        for (index, member) in members.enumerated() {
            let raw = texts.indices.contains(index) ? JSONSlices.member("value", of: texts[index]) : nil
            let put = try read(member, raw: raw, rules: rules)
            let size = put.body.count + put.form.rawValue.utf8.count
            guard size <= rules.maximumValueBytes else {
                throw .valueTooLarge(index: index, bytes: size, limit: rules.maximumValueBytes)
            }
            puts.append(put)
        }
        return puts
    }

    /// Prebid Cache parses lifetimes as whole numbers, so a write with another number is not a valid document.
    private static func isReadable(_ member: JSONValue) -> Bool {
        guard member.objectValue != nil else { return false }
        guard let life = member["ttlseconds"], life != .null else { return true }
        return life.integerValue != nil
    }

    private static func read(
        _ member: JSONValue, raw: ArraySlice<UInt8>?, rules: LoopbackRules
    ) throws(PrebidCacheProblem) -> PrebidCachePut {
        guard let value = member["value"], let raw else { throw .missingValue }
        var life: Duration?
        if let seconds = member["ttlseconds"]?.integerValue {
            guard seconds >= 0 else { throw .negativeLife(seconds) }
            life = .seconds(min(seconds, Int64(Int32.max)))
        }
        let type = member["type"]?.stringValue ?? ""
        guard let form = Form(rawValue: type) else { throw .unknownType(String(type.prefix(echoLength))) }
        let body: [UInt8]
        switch form {
        case .json: body = Array(raw)
        case .xml:
            guard let text = value.stringValue else {
                throw .xmlNotText(Array(raw.prefix(echoLength)))
            }
            body = Array(text.utf8)
        }
        return PrebidCachePut(form: form, body: body, life: life, key: try key(of: member, rules: rules))
    }

    private static func key(of member: JSONValue, rules: LoopbackRules) throws(PrebidCacheProblem) -> CreativeID? {
        guard rules.allowsOwnKeys, let text = member["key"]?.stringValue, !text.isEmpty else { return nil }
        guard let key = CreativeID(text) else { throw .badKey(String(text.prefix(echoLength))) }
        return key
    }
}
