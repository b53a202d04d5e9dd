import Monitoring
import Ports

@testable import Session

/// What tests of journals write, and how they look at problems.
enum JournalSamples {
    static func claim(
        _ number: Int, of session: SessionKey, url: String, attempt: Int = 1, at: Int64 = 2, late: Duration? = nil
    ) -> JournalClaim {
        let beacon = JournalBeacon(
            session: session.text, breakName: "=b", adName: "=a", adStart: UnixTime(milliseconds: 1), type: "start",
            start: UnixTime(milliseconds: 1), url: url)
        return JournalClaim(
            number: number, beacon: beacon, round: 0, attempt: attempt, at: UnixTime(milliseconds: at), late: late)
    }

    static func problem(_ body: () async throws -> Void) async -> JournalProblem? {
        do {
            try await body()
            return nil
        } catch {
            return error as? JournalProblem
        }
    }
}
