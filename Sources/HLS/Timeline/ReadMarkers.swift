import Algorithms
import Ports

/// The cue tags that were read, across reloads: every playlist lists those of its window again.
struct ReadMarkers: Equatable, Sendable {
    /// How many segments back new markers are still read: some packagers add a marker shortly after listing its
    /// segment.
    private static let lateMarkerReach = 8
    /// Most markers remembered beside those of the newest playlist; with more, none of them is.
    private static let limit = PlaylistLimits.cuePoints

    /// What one playlist adds to what was read before.
    struct News {
        /// The markers that were not read before.
        var new: [CuePoint] = []
        /// Those that may announce another length than before. One with another message is a new one, too.
        var corrected: [CuePoint] = []
    }

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

        /// What a marker has in common with one that takes its place with another message.
        var place: Key {
            var place = self
            place.message = nil
            return place
        }
    }

    /// The markers and the length that each announced last; 0 for none.
    private var read: [Key: Duration] = [:]
    private var lastSequence: Int?

    init() {}

    /// Those of another numbering of the same media.
    init(_ cues: [CuePoint]) {
        read = Dictionary(
            cues.map { (Key($0), $0.duration.announced ?? .zero) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads the markers of the newest playlist.
    /// - Parameters:
    ///   - last: number of its last segment. Of what follows, the segment in progress is read once its parts are listed: what comes before
    ///     them applies to it (rfc8216bis-22 section 4.4.4.9). The rest is read when its segment is listed.
    ///   - start: number of the first segment of the newest break, whose markers may be corrected while it lasts.
    mutating func read(_ playlist: MediaPlaylist, through last: Int, breakFrom start: Int?) -> News {
        let floor = lastSequence.map { $0.subtractingSaturating(Self.lateMarkerReach) } ?? .min
        read = read.filter { $0.key.sequence >= floor || $0.key.sequence == start }
        // A server may add other markers to the same segments with each reload.
        if read.count > Self.limit {
            let listed = Set(playlist.cuePoints.lazy.map { Key($0) })
            read = read.filter { listed.contains($0.key) }
        }
        lastSequence = max(lastSequence ?? last, last)
        let listed = playlist.cuePoints.filter { cue in
            guard cue.sequence >= floor || cue.sequence == start else { return false }
            return cue.sequence <= last || playlist.hasParts(behind: cue)
        }
        // The first of several equal ones counts.
        return news(of: listed.map { (Key($0), $0) }.uniqued { $0.0 }, newFrom: floor)
    }

    /// - Parameter floor: number of the first segment whose new markers count.
    private mutating func news(of listed: [(key: Key, cue: CuePoint)], newFrom floor: Int) -> News {
        let keys = Set(listed.lazy.map(\.key))
        var replaced = Set(read.keys.lazy.filter { $0.kind == .out && !keys.contains($0) }.map(\.place))
        var news = News()
        for (key, cue) in listed {
            let length = cue.duration.announced ?? .zero
            if let known = read[key] {
                guard length != .zero, length != known else { continue }
                news.corrected.append(cue)
            } else {
                let isReplacement = key.kind == .out && replaced.remove(key.place) != nil
                guard isReplacement || cue.sequence >= floor else { continue }
                if isReplacement { news.corrected.append(cue) }
                news.new.append(cue)
            }
            read[key] = length
        }
        return news
    }
}

extension MediaPlaylist {
    /// Whether a marker comes before the listed parts of the segment in progress.
    fileprivate func hasParts(behind cue: CuePoint) -> Bool {
        guard !trailingParts.isEmpty, !cue.isBehindParts, let last = segments.last else { return false }
        return cue.sequence == last.sequence.addingSaturating(1)
    }
}
