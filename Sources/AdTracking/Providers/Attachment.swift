package import Ports

/// What can be made of the address of a running session's tracking data, without its playlist (PRV-48).
package enum Attachment: Hashable, Sendable {
    case session(SessionAddresses)
    /// What is wrong with the address, or why the answers at it are not enough, as a clause.
    case problem(String)

    /// A session of which this address alone is known.
    static func tracking(_ url: WebURL, id: String? = nil) -> Attachment {
        let path = url.path.lowercased()
        guard ![".m3u8", ".mpd"].contains(where: path.hasSuffix) else {
            return .problem("is the address of a playlist; 'adtop URL' follows it")
        }
        return .session(
            SessionAddresses(manifestURL: url, metadataURL: url, path: .tracking, sessionID: id, isRecognised: true))
    }
}

extension AdMetadataProvider {
    /// Most services name no more in an address of tracking data than where it is.
    package static func attached(to url: WebURL) -> Attachment { .tracking(url) }
}

extension PolledDialect {
    package static func attached(to url: WebURL) -> Attachment { .tracking(url) }
}

extension OpeningStep {
    /// The step of opening that follows from the address alone.
    init(_ attachment: Attachment) {
        switch attachment {
        case .session(let addresses): self = .opened(addresses)
        case .problem(let problem):
            self = .failed(SessionInitFailure(steps: [SessionInitFailure.Step(name: "address", problem: problem)]))
        }
    }
}
