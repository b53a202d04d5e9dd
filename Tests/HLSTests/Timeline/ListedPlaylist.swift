import HLS
import Ports

/// The date of stream second 0 in these tests.
let epochDate = UnixTime(milliseconds: 1_798_761_600_000)

extension UnixTime {
    /// Seconds after `epochDate`.
    static func second(_ seconds: Double) -> UnixTime {
        epochDate + .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
}

extension StreamTime {
    static func second(_ seconds: Double) -> StreamTime {
        StreamTime(microseconds: Int64((seconds * 1_000_000).rounded()))
    }
}

/// A media playlist as a value: `durations` in seconds, from media sequence number `first`. The first segment is dated
/// `date` seconds after `epochDate` and the others follow from it, unless `date` is nil.
func listing(
    _ first: Int, _ durations: [Double], date: Double?, target: Double = 6,
    edit: (inout MediaPlaylist) -> Void = { _ in }
) -> MediaPlaylist {
    var playlist = MediaPlaylist(uri: "https://cdn.example.com/live/media.m3u8")
    playlist.targetDuration = .seconds(target)
    playlist.mediaSequence = first
    var start = Duration.zero
    for (index, seconds) in durations.enumerated() {
        let duration = Duration.microseconds(Int64((seconds * 1_000_000).rounded()))
        playlist.segments.append(
            MediaSegment(
                sequence: first + index, uri: "https://cdn.example.com/live/seg\(first + index).ts", duration: duration,
                start: start, date: date.map { .second($0) + start },
                dateSource: date == nil ? nil : index == 0 ? .explicit : .forward))
        start += duration
    }
    edit(&playlist)
    return playlist
}

/// Six-second segments numbered from `first` and dated by number: what a steady live server lists.
func steady(_ first: Int, count: Int = 6, edit: (inout MediaPlaylist) -> Void = { _ in }) -> MediaPlaylist {
    listing(first, Array(repeating: 6, count: count), date: Double(first) * 6, edit: edit)
}

/// A timeline into which `playlists` were folded in order.
func folded(_ playlists: MediaPlaylist...) -> Timeline {
    var timeline = Timeline()
    for playlist in playlists { _ = timeline.fold(playlist) }
    return timeline
}

extension MediaPlaylist {
    /// Moves the dates of the segments from `index` by `seconds`, with a discontinuity there.
    mutating func jumpDates(from index: Int, by seconds: Double) {
        segments[index].isDiscontinuity = true
        segments[index].dateSource = .explicit
        for position in index..<segments.count {
            segments[position].date = segments[position].date.map { $0 + .seconds(seconds) }
        }
    }
}
