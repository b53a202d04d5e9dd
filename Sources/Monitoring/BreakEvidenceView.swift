package import Ports

/// One source that tells of a break.
package struct BreakEvidenceView: Sendable, Equatable {
    /// `metadata`, `marker`, `interstitial` or `vast`.
    package var source: String
    /// Which kind of marker: `cue` or `date range`; nil for other sources.
    package var kind: String?
    /// What the source calls it; raw text from outside.
    package var name: String
    package var start: UnixTime
    /// Nil when no end is announced.
    package var duration: Duration?
    /// SCTE-35 event ids, in decimal digits.
    package var eventIDs: [String] = []
}
