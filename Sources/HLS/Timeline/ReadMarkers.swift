import Ports

/// The cue tags that were read, across reloads: every playlist lists those of its window again.
struct ReadMarkers: Equatable, Sendable {
    /// How many segments back new markers are still read: some packagers add a marker shortly after listing its
    /// segment.
    private static let lateMarkerReach = 8
    /// Most markers remembered beside those of the newest playlist; with more, none of them is.
    private static let limit = PlaylistLimits.cuePoints

    /// Distinguishes a known marker from one added later to the same segment.
    private struct Key: Hashable {
        var sequence: Int
        var kind: CuePoint.Kind
        var tag: String
        /// Two messages at one segment are two markers. What follows a section is not kept.
        var message: [UInt8]?

        init(_ cue: CuePoint) {
            (sequence, kind, tag, message) = (cue.sequence, cue.kind, cue.tag, cue.scte35)
            guard let message, message.count > SpliceInfo.longestSection else { return }
            self.message = Array(message.prefix(SpliceInfo.longestSection))
        }
    }

    private var read: Set<Key> = []
    private var lastSequence: Int?

    init() {}

    /// Those of another numbering of the same media.
    init(_ cues: [CuePoint]) {
        read = Set(cues.map { Key($0) })
    }

    /// The markers of the newest playlist that were not read before.
    /// - Parameter last: number of its last segment; what follows it is read when that is listed.
    mutating func new(in playlist: MediaPlaylist, through last: Int) -> [CuePoint] {
        let floor = lastSequence.map { $0.subtractingSaturating(Self.lateMarkerReach) } ?? .min
        read = read.filter { $0.sequence >= floor }
        // A server may add other markers to the same segments with each reload.
        if read.count > Self.limit { read.formIntersection(playlist.cuePoints.lazy.map { Key($0) }) }
        lastSequence = max(lastSequence ?? last, last)
        return playlist.cuePoints.filter { cue in
            guard cue.sequence >= floor, cue.sequence <= last else { return false }
            return read.insert(Key(cue)).inserted
        }
    }
}
