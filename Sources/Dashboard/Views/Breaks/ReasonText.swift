import AdTracking
import Screen

/// Why a beacon was not sent, in words.
enum ReasonText {
    /// The sentence for the state `unknown`.
    static let unknownOutcome: SafeText = "the request may have arrived, so it is not repeated automatically"

    /// The reason in the few words of a row.
    static func short(_ reason: SkipReason) -> SafeText {
        switch reason {
        case .notReached: "not reached"
        case .seekedOver: "not played"
        case .paused: "player paused"
        case .rateGate: "too fast"
        case .noMetadataInTime: "metadata late"
        case .adCut: "ad cut"
        case .userClass: "viewer action"
        case .clickClass: "click only"
        case .verificationClass: "verification"
        case .serverBeaconed: "sent by server"
        case .hostNotAllowed: "host not allowed"
        case .badURL: "invalid URL"
        case .macroUnresolved: "macro unfilled"
        case .duplicate: "duplicate"
        case .observeMode: "observe mode"
        case .expired: "expired"
        case .queueFull: "queue full"
        case .interstitialNotPlaying: "not playing"
        }
    }

    /// The reason as a clause.
    static func sentence(_ reason: SkipReason) -> SafeText {
        switch reason {
        case .notReached: "the playhead has not reached it"
        case .seekedOver: "the playhead never passed it: the session joined later or jumped"
        case .paused: "the player was paused"
        case .rateGate: "playback was too fast for it"
        case .noMetadataInTime: "the metadata came too late for it"
        case .adCut: "the ad was cut before its end"
        case .userClass: "sent only on the viewer's action"
        case .clickClass: "sent only on a click, which adtop never makes"
        case .verificationClass: "for verification scripts, which adtop does not run"
        case .serverBeaconed: "the server sends it itself"
        case .hostNotAllowed: "its host is not allowed in this session"
        case .badURL: "its URL cannot be requested"
        case .macroUnresolved: "a macro in its URL has no value"
        case .duplicate: "already sent for this ad"
        case .observeMode: "observe mode: due and shown, not sent"
        case .expired: "too old to be sent"
        case .queueFull: "as many beacons were waiting as may"
        case .interstitialNotPlaying: "its interstitial is not playing"
        }
    }
}

/// The reason phrases of RFC 9110 for the answers that beacons get.
enum StatusPhrase {
    /// The phrase of a status, empty when it has none.
    static func of(_ status: Int) -> String {
        phrases[status] ?? ""
    }

    private static let phrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
        302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        408: "Request Timeout", 410: "Gone", 413: "Content Too Large", 414: "URI Too Long", 429: "Too Many Requests",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout",
    ]
}
