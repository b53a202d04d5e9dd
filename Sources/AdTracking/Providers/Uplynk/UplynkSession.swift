package import Ports

/// The addresses of a session (PRV-42).
package struct UplynkSession: Hashable, Sendable {
    /// The manifest to play.
    package let manifest: WebURL
    package let id: String?
    /// The address of pings without their query; nil when the request of the session did not ask for pings.
    package let ping: WebURL?

    /// The session in the answer to a preplay request.
    /// - Parameter asked: the address of that request.
    package init(_ answer: JSONValue, asked: WebURL) throws(MetadataProblem) {
        guard answer.objectValue != nil else { throw .notAnObject(typeName: answer.typeName) }
        guard let play = answer["playURL"]?.stringValue else {
            let told = answer["message"]?.stringValue ?? answer["error"]?.stringValue
            throw .other(told.map { "has no playURL: '\($0)'" } ?? "has no playURL")
        }
        guard let manifest = try? asked.resolving(play) else { throw .other("has a playURL that is not an address") }
        self.manifest = manifest
        id = answer["sid"]?.identifierText
        ping = Self.ping(answer, id, asked)
    }

    /// Pings that were not asked for would disturb what the server counts.
    private static func ping(_ answer: JSONValue, _ id: String?, _ asked: WebURL) -> WebURL? {
        guard QueryItems(asked.query)["ad.cping"] == "1", let id, id.allSatisfy(isPlain),
            let base = try? asked.resolving(answer["prefix"]?.stringValue ?? "/")
        else { return nil }
        return try? base.with(path: "/session/ping/\(id).json", query: nil)
    }

    /// Whether a character of an id is one of a path step.
    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
    }
}
