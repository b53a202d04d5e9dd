/// Segments, parts and window of the playlist, and its break markers.
package struct StreamShape: Sendable, Equatable {
    /// Nominal segment length, 250 to 60,000 ms. Content and ads are divided evenly, so real lengths differ slightly.
    package var segmentMs = 4_000
    /// Length of the sliding window, at least three segments; a finished stream lists everything.
    package var windowMs = 60_000
    /// One round of all pods that has already ended: `PLAYLIST-TYPE:VOD` and `ENDLIST`.
    package var isFinished = false
    /// Length of a part. Nil is a stream without low latency; a stream with parts also has blocking reloads and delta
    /// updates.
    package var partMs: Int?
    /// The multivariant playlist lists every variant a second time, below `backup/`.
    package var hasBackup = false
    /// Whether the best variant is listed and its playlist does not exist (404), as after a ladder that was changed.
    package var lacksBest = false
    /// The times at which nothing new is published.
    package var stall: StallPattern?
    /// How far PROGRAM-DATE-TIME jumps forward at the start of a break and again at its end; the media itself continues
    /// without a gap.
    package var dateJumpMs = 0
    /// How the playlist marks stitched breaks, in turn by break; empty is no marker.
    package var markers: [MarkerDialect] = [.elemental]
}

/// A packager that hangs: nothing new is published for ``lengthMs``, then everything at once.
package struct StallPattern: Sendable, Equatable {
    /// Distance from the start of one stall to the next; also from the start of the origin to the first stall.
    package var everyMs: Int
    /// Duration of a stall, less than ``everyMs``.
    package var lengthMs: Int
}

/// How a break is written into a media playlist (HLS-22, HLS-25).
package enum MarkerDialect: String, Sendable, CaseIterable {
    /// `CUE-OUT:20.020`, `CUE-OUT-CONT:2.002/20.020`, `CUE-IN`.
    case elemental
    /// OATCLS and ASSET before `CUE-OUT`, `CUE-OUT-CONT` with attributes and the message.
    case enhanced
    /// `CUE-OUT:DURATION=…,ID=…,CUE="…"`, `CUE-SPAN`, `CUE-IN:ID`.
    case attributes
    /// `EXT-X-SCTE35` with `CUE-OUT=YES`, `CUE-OUT=CONT` and `CUE-IN=YES`.
    case scte35
    /// `SPLICEPOINT-SCTE35` at both ends.
    case splicepoint
    /// `EXT-X-CUE:TYPE=SpliceOut` and `EXT-X-CUE-CONT`, nothing at the end.
    case adobe
    /// `CUE-OUT` without a length, then `CUE-IN`.
    case open
    /// Date ranges with SCTE35-OUT and SCTE35-IN.
    case dateranges
}
