package import Ports

/// What differs between providers whose answers are polled with GET at one address: ``PolledProvider`` is the session.
package protocol PolledDialect: Sendable {
    /// As in ``AdMetadataProvider``.
    static var name: String { get }
    static var contentType: String { get }
    static var summary: ProviderSummary { get }
    static func recognises(_ mediaURL: WebURL) -> Bool

    /// As in ``AdMetadataProvider``: whether its times are seconds of the stream.
    static var placesWithoutDates: Bool { get }

    /// As in ``AdMetadataProvider``.
    static func attached(to url: WebURL) -> Attachment

    /// The first step of opening a session.
    static func opened(_ mediaURL: WebURL) -> PolledOpening
    /// The step after a good answer.
    /// - Parameters:
    ///   - url: where the answer came from.
    ///   - count: number of answers so far, this one included.
    static func answered(_ exchange: HTTPExchange, from url: WebURL, count: Int) -> PolledOpening

    /// What an answer lists.
    /// - Parameter charset: encoding that the transport names; JSON is UTF-8 in any case (RFC 8259).
    static func read(
        _ bytes: [UInt8], charset: String?, of programme: PolledProgramme
    ) throws(MetadataProblem) -> PolledAnswer
}

/// A step of opening a session.
package enum PolledOpening: Hashable, Sendable {
    /// A GET; the name is that of failures.
    case get(WebURL, name: String)
    case session(PolledSession)
    /// What is wrong with the answer, or with the address, as a clause.
    case problem(String)
}

/// The addresses of a session.
package struct PolledSession: Hashable, Sendable {
    package var manifest: WebURL
    package var tracking: WebURL
    /// Nil when the service has none.
    package var id: String?
    package var path: SessionAddresses.Path

    package init(manifest: WebURL, tracking: WebURL, id: String? = nil, path: SessionAddresses.Path) {
        (self.manifest, self.tracking, self.id, self.path) = (manifest, tracking, id, path)
    }
}

/// What is known of a stream when an answer is read.
package struct PolledProgramme: Hashable, Sendable {
    package var isLive: Bool
    /// Length in seconds; nil while unknown, and of live streams.
    package var total: ExactDecimal?

    package init(isLive: Bool = true, total: ExactDecimal? = nil) {
        (self.isLive, self.total) = (isLive, total)
    }
}

/// One answer.
package struct PolledAnswer: Hashable, Sendable {
    package var listed: ListedAnswer
    /// Seconds until the next request as the service asks for them; nil if it does not.
    package var after: ExactDecimal?

    package init(_ listed: ListedAnswer, after: ExactDecimal? = nil) {
        (self.listed, self.after) = (listed, after)
    }
}
