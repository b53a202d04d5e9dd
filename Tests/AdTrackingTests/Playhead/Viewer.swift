import AdTracking
import HLS
import Ports

extension UnixTime {
    /// Seconds after 2027-01-01T00:00:00Z, the date of stream second 0 in these tests.
    static func second(_ seconds: Double) -> UnixTime {
        UnixTime(milliseconds: 1_798_761_600_000) + .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
}

extension StreamTime {
    static func second(_ seconds: Double) -> StreamTime {
        StreamTime(microseconds: Int64((seconds * 1_000_000).rounded()))
    }
}

extension Moment {
    static func second(_ seconds: Double) -> Moment {
        Moment(wall: .second(seconds), uptime: .microseconds(Int64((seconds * 1_000_000).rounded())))
    }
}

/// A playlist of segments of 6 s from number `first` on, dated by number. `tags` are placed before the segments;
/// `before` gives the tags of single segments.
func playlistText(
    _ first: Int, count: Int = 6, tags: String = "", before: [Int: String] = [:], isComplete: Bool = false
) -> String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:\(first)"]
    if !tags.isEmpty { lines.append(tags) }
    lines.append("#EXT-X-PROGRAM-DATE-TIME:\(UnixTime.second(Double(first) * 6).iso8601)")
    for number in first..<(first + count) {
        if let tag = before[number] { lines.append(tag) }
        lines += ["#EXTINF:6.000,", "seg\(number).ts"]
    }
    if isComplete { lines.append("#EXT-X-ENDLIST") }
    return lines.joined(separator: "\n") + "\n"
}

/// A playhead on a playlist that the test serves. Seconds are uptime and, unless the test sets it, wall clock.
struct Viewer {
    var follower = PlaylistFollower()
    var playhead: Playhead
    /// All segments and changes so far.
    var segments: [PlayheadSegment] = []
    var assetSegments: [AssetSegment] = []
    var changes: [PlayheadChange] = []

    init(start: Playhead.Start = .automatic, playsInterstitials: Bool = true) {
        playhead = Playhead(start: start, playsInterstitials: playsInterstitials)
    }

    var timeline: Timeline { follower.timeline }
    var reading: PlayheadReading { playhead.reading(on: timeline) }
    var kinds: [PlayheadChange.Kind] { changes.map(\.kind) }

    mutating func reload(_ text: String, at seconds: Double) {
        let parsed = PlaylistParser.parse(Array(text.utf8), uri: "https://cdn.example.com/live/media.m3u8")
        _ = follower.noteParsed(parsed, ReloadExchange(requested: .second(seconds)))
        note(playhead.timelineChanged(timeline, at: .second(seconds)))
    }

    mutating func tick(_ seconds: Double) {
        tick(.second(seconds))
    }

    mutating func tick(_ moment: Moment) {
        note(playhead.advance(to: moment, on: timeline))
    }

    mutating func note(_ progress: PlayheadProgress) {
        segments += progress.segments
        assetSegments += progress.steps.compactMap { if case .playedAsset(let segment) = $0 { segment } else { nil } }
        changes += progress.changes
    }

    /// The asset requests that are due now.
    mutating func requests() -> [InterstitialRequest] {
        playhead.takeAssetRequests(on: timeline)
    }

    /// The asset list of `id` arrives.
    mutating func answer(_ id: String, _ list: AssetList, at seconds: Double) {
        note(playhead.noteAssetList(list, for: id, at: .second(seconds), on: timeline))
    }

    func play(_ id: String) -> TrackedInterstitial.Play? {
        playhead.interstitials[id: id]?.play
    }

    /// The played segments, with continuous ones merged.
    var ranges: [PlayheadSegment] {
        segments.reduce(into: []) { ranges, segment in
            guard segment.isContinuous, let last = ranges.indices.last else { return ranges.append(segment) }
            ranges[last].toStream = segment.toStream
            ranges[last].toDate = segment.toDate
            ranges[last].toMoment = segment.toMoment
        }
    }
}
