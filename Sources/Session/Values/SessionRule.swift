import Ports

/// The rules that only a session can check, because they compare several sources. The raw value is the rule id in
/// findings.
package enum SessionRule: String, FindingCode {
    case sessionOver = "L53"
    case sentBefore = "sent-before"
    case journalFailed = "journal-failed"
    case sessionInUse = "session-in-use"
    case journalLost = "journal-lost"
    case journalDamaged = "journal-damaged"
    case journalBehind = "journal-behind"
    case costlyPoll = "costly-poll"
    case adNotPlayed = "ad-not-played"
    case addressNotAllowed = "address-not-allowed"
    case otherProvider = "other-provider"
    case mediaUnread = "media-unread"
    case channelReturned = "channel-returned"
    case variantRefused = "variant-refused"
    case contentSteeringFailed = "content-steering-failed"
    case interstitialAssetNotVOD = "interstitial-asset-not-vod"
    case interstitialFailed = "interstitial-failed"
    case interstitialLate = "interstitial-late"
    case interstitialWithoutID = "interstitial-without-id"
    case assetListLength = "L65"
    case markerStart = "marker-start"
    case markerDuration = "marker-duration"
    case markerOpenEnded = "marker-open-ended"
    case markerCount = "marker-count"
    case markersWithoutDates = "markers-without-dates"
}
