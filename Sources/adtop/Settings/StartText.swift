import Ports
import Session

/// Reads the join point: `live`, `-30s` behind the edge, or an ISO 8601 date.
enum StartText {
    static func read(_ text: String) throws(SettingProblem) -> StartOption {
        if text == "live" { return .standard }
        if let date = UnixTime(typed: text) { return .date(date) }
        guard let duration = try? Duration(text: text), duration <= .zero else {
            // The error of the duration parser would mislead a user who meant a date.
            throw SettingProblem("is not 'live', a duration such as -30s, or a date such as 2027-01-01T00:00:00Z")
        }
        return .behindEdge(.zero - duration)
    }
}
