package import AdTracking
package import HLS
package import Ports

/// A session that is open at its server, as one process hands it on to the next (FLT-15).
package struct RunningSession: Hashable, Sendable {
    /// Most bytes of the answers, and of the memory: sessions with longer ones are not handed on.
    static let longestAnswers = 32_768
    static let longestMemory = 32_768

    /// The address that was given for the stream: one of another address is not continued.
    package var mediaURL: WebURL
    /// The name of its provider; nil for a plain stream.
    package var provider: String?
    package var addresses: SessionAddresses
    /// The answers that opened it, in order; none where it was opened without a request.
    package var answers: [HTTPExchange]
    /// What it ever delivered. A process of an earlier version does not say so, and hands on nothing here.
    package var delivered: Set<SessionFeed> = []
    /// Where its timeline is; nil before the first playlist.
    package var anchor: TimelineAnchor?
    /// What else its provider needs; nil where the answers are enough.
    package var memory: JSONValue?

    package init(
        mediaURL: WebURL, provider: String?, addresses: SessionAddresses, answers: [HTTPExchange] = [],
        anchor: TimelineAnchor? = nil
    ) {
        (self.mediaURL, self.provider, self.addresses) = (mediaURL, provider, addresses)
        (self.answers, self.anchor) = (answers, anchor)
    }
}

/// What a session hands on.
package struct SessionHandover: Hashable, Sendable {
    /// Nil where there is none that could be continued.
    package var running: RunningSession?
    /// The media date up to which what was due has been claimed, with an answer of the journal; nil before the viewer joined.
    package var claimedThrough: UnixTime?
}

/// The answers that opened a session, as far as another process needs them; nothing once they are too long.
struct OpeningAnswers {
    /// Fields that providers read.
    private static let fields: Set<String> = ["content-type", "location"]

    /// Nil when they were too long.
    private(set) var kept: [HTTPExchange]? = []

    mutating func note(_ answer: HTTPExchange) {
        guard var answers = kept else { return }
        let hops = answer.hops.map { hop in
            HTTPExchange.Hop(
                url: hop.url, status: hop.status,
                fields: hop.fields.filter { Self.fields.contains($0.name.lowercased()) })
        }
        answers.append(
            HTTPExchange(hops: hops, failure: answer.failure, body: answer.body, isBodyCut: answer.isBodyCut))
        let bytes = answers.reduce(0) { sum, answer in
            sum + answer.body.count + answer.hops.reduce(0) { $0 + $1.url.utf8.count }
        }
        kept = bytes <= RunningSession.longestAnswers ? answers : nil
    }
}
