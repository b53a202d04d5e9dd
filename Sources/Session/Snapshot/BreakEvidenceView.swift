package import Ports

/// One source that describes a break.
package struct BreakEvidenceView: Sendable, Equatable {
    /// One of `metadata`, `marker`, `interstitial`, `signaling` and `vast`.
    package var source: String
    /// Kind of marker: `cue` or `date range`; nil for other sources.
    package var kind: String?
    /// Name in the source; unredacted text from outside.
    package var name: String
    package var start: UnixTime
    /// Nil when no end is announced.
    package var duration: Duration?
    /// SCTE-35 event ids in decimal digits.
    package var eventIDs: [String] = []
}
