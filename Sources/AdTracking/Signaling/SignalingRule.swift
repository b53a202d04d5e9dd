import Ports

/// The rules about ad creative signaling (TRK-28, TRK-29). The raw value is the rule id in findings.
package enum SignalingRule: String, FindingCode {
    case undecodable = "signaling-undecodable"
    case unknownFeature = "signaling-unknown-feature"
    case version = "signaling-version"
    case tooMany = "signaling-too-many"
    case type = "signaling-type"
    case eventWithoutType = "signaling-event-without-type"
    case remote = "signaling-remote"
    case badSeconds = "signaling-bad-seconds"
    case differs = "signaling-differs"
    case twice = "signaling-twice"
    case slotTooLong = "signaling-slot-too-long"
    case noLength = "signaling-no-length"
}
