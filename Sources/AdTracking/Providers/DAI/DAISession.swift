package import Ports

/// The addresses of a session (PRV-44).
package struct DAISession: Hashable, Sendable {
    package let manifest: WebURL
    package let id: String?
    /// Where the metadata of a live stream is; nil for a recorded programme, and where the service reports.
    package let metadata: WebURL?
    /// What the address of a verification begins with; a media id follows. Nil where the service reports.
    package let verification: WebURL?
    /// Seconds between two requests for metadata.
    package let interval: ExactDecimal
    /// The breaks of a recorded programme; nil for a live stream.
    package let programme: ListedAnswer?

    /// Seconds between two requests if the answer names none.
    package static let usualInterval = ExactDecimal(10)
    /// Longest time between two requests, whatever the answer names: an ad may be over before its metadata comes.
    private static let longestInterval = ExactDecimal(60)

    /// Whether the service reports, and there is nothing to request or to verify.
    package var isReportedByService: Bool { metadata == nil && verification == nil && programme == nil }

    /// A running session of which its manifest is known. What verifications begin with is not: nothing can be sent.
    init(attachedTo manifest: WebURL, id: String, metadata: WebURL) {
        (self.manifest, self.id, self.metadata) = (manifest, id, metadata)
        (verification, interval, programme) = (nil, Self.usualInterval, nil)
    }

    /// The session in the answer to a request for a stream.
    /// - Parameter asked: base of relative addresses.
    package init(_ answer: JSONValue, asked: WebURL) throws(MetadataProblem) {
        guard answer.objectValue != nil else { throw .noObject(answer) }
        let names = ["stream_manifest", "hls_master_playlist"]
        guard let written = names.lazy.compactMap({ answer[$0]?.stringValue }).first(where: { !$0.isEmpty }) else {
            throw .other("has no stream_manifest: it is no answer to a request for a stream")
        }
        guard let manifest = try? asked.resolving(written) else {
            throw .other("has a stream_manifest that is not an address")
        }
        self.manifest = manifest
        func address(_ name: String) -> WebURL? { answer[name]?.stringValue.flatMap { try? asked.resolving($0) } }
        id = answer["stream_id"]?.identifierText
        verification = address("media_verification_url")
        let listed = address("metadata_url")
        // A live stream has breaks in its metadata; an empty list beside their address is none.
        let isProgramme = answer["ad_breaks"]?.arrayValue.map { listed == nil || !$0.isEmpty } ?? false
        programme = isProgramme ? answer["ad_breaks"].map { DAIProgramme.answer($0) } : nil
        metadata = isProgramme ? nil : listed ?? Self.metadata(of: manifest, verification)
        let stated = ListedTime.seconds(answer["polling_frequency"]).flatMap { $0.isPositive ? $0 : nil }
        interval = min(stated ?? Self.usualInterval, Self.longestInterval)
    }

    /// Where the metadata is by the address of the manifest, for an answer that does not say so, although ids are to be verified.
    private static func metadata(of manifest: WebURL, _ verification: WebURL?) -> WebURL? {
        guard verification != nil, case .session(_, let metadata) = DAIAddress(manifest) else { return nil }
        return metadata
    }
}
