package import HLS
package import Ports

/// A request by which a player reports its position to a service that sends impressions because of it: itself a beacon, so it is
/// claimed like any other and sent in fire mode only (PRV-43).
package struct PlayerPing: Hashable, Sendable {
    /// Number in its session, from 1.
    package let number: Int
    package let url: WebURL
    /// Why it is due, in one word.
    package let cause: String

    package init(number: Int, url: WebURL, cause: String) {
        (self.number, self.url, self.cause) = (number, url, cause)
    }
}

/// What a player did, as far as pings follow from it. Positions are those of the playlist.
package enum PlayerMove: Hashable, Sendable {
    /// It plays there.
    case plays(at: StreamTime)
    /// It left the first position for the second.
    case jumped(from: StreamTime, to: StreamTime)
}

extension AdMetadataProvider {
    // Most services know a player by its requests for documents alone.
    package mutating func ping(after move: PlayerMove) -> PlayerPing? { nil }
    package var nextPing: StreamTime? { nil }
    package mutating func pingAnswered(_ number: Int, _ exchange: HTTPExchange) throws(MetadataProblem) {}
    package mutating func pingFailed(_ number: Int, wasSent: Bool) {}
    package mutating func pingsResumed() {}
}
