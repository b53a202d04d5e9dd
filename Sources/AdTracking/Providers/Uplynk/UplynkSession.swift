package import Ports

/// The addresses of a session (PRV-42).
package struct UplynkSession: Hashable, Sendable {
    /// The manifest to play.
    package let manifest: WebURL
    package let id: String?
    /// The address of pings without their query; nil when the request of the session did not ask for pings.
    package let ping: WebURL?

    /// The session in the answer to a preplay request.
    /// - Parameters:
    ///   - asked: the address of that request.
    ///   - base: where the answer came from; nil for the same address.
    package init(_ answer: JSONValue, asked: WebURL, base: WebURL? = nil) throws(MetadataProblem) {
        guard answer.objectValue != nil else { throw .noObject(answer) }
        guard let play = answer["playURL"]?.stringValue else {
            let stated = answer["message"]?.stringValue ?? answer["error"]?.stringValue
            throw .other("has no playURL" + (stated.map { ": '\(MetadataProblem.clipped($0))'" } ?? ""))
        }
        guard let manifest = try? (base ?? asked).resolving(play) else {
            throw .other("has a playURL that is not an address")
        }
        self.manifest = manifest
        id = answer["sid"]?.identifierText
        ping = Self.ping(answer, id, asked, base ?? asked)
    }

    /// The session that a request of its manifest starts: nothing is known of it, and it has no pings.
    package init(manifest: WebURL) {
        (self.manifest, id, ping) = (manifest, nil, nil)
    }

    /// Pings that were not asked for would disturb what the server counts.
    private static func ping(_ answer: JSONValue, _ id: String?, _ asked: WebURL, _ base: WebURL) -> WebURL? {
        guard QueryItems(asked.query)["ad.cping"] == "1", let id, isStep(id),
            let prefix = try? base.resolving(answer["prefix"]?.stringValue ?? "/")
        else { return nil }
        let front = prefix.path.hasSuffix("/") ? String(prefix.path.dropLast()) : prefix.path
        return try? prefix.with(path: "\(front)/session/ping/\(id).json", query: nil)
    }

    /// Whether an id is one step of a path, of the characters that need no escape.
    private static func isStep(_ id: String) -> Bool {
        !id.isEmpty && id != "." && id != ".."
            && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.~".contains($0)) }
    }
}
