/// Segments, parts and window of the playlist, and how it tells of breaks.
package struct StreamShape: Sendable, Equatable {
    /// Nominal segment length, 250 to 60,000 ms. Content and ads are divided evenly, so real lengths differ a little.
    package var segmentMs = 4_000
    /// Length of the sliding window, at least three segments; a finished stream lists everything.
    package var windowMs = 60_000
    /// One round of all pods that ended before anybody came: `PLAYLIST-TYPE:VOD` and `ENDLIST`.
    package var isFinished = false
    /// Length of a part. Nil is a stream without low latency; with parts come blocking reloads and delta updates.
    package var partMs: Int?
    /// The multivariant playlist lists every variant a second time, below `backup/`.
    package var hasBackup = false
    /// When nothing new is published for a while.
    package var stall: StallPattern?
    /// How far PROGRAM-DATE-TIME jumps forward where a break starts and again where it ends; the media itself goes on
    /// without a gap.
    package var dateJumpMs = 0
    /// How the playlist marks a stitched break, in turn by break; empty is no marker at all.
    package var markers: [MarkerDialect] = [.elemental]
}

/// A packager that hangs: nothing new appears for ``lengthMs``, then everything at once.
package struct StallPattern: Sendable, Equatable {
    /// Distance from one stall's start to the next one's; the first begins so long after the origin.
    package var everyMs: Int
    /// How long it lasts, less than ``everyMs``.
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
