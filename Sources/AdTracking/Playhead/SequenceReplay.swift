import HLS
package import Ports

/// Plays a `PlaybackSequence` through the same follower and playhead as a live session, and says what came of it in
/// schema `adtop-hls-timeline/1`.
package struct SequenceReplay {
    private let sequence: PlaybackSequence
    private var follower: PlaylistFollower
    private var playhead = Playhead()
    private var epochStart: UnixTime?
    private var reloads: [JSONValue] = []
    private var samples: [JSONValue] = []

    /// The timeline of `sequence`.
    package static func timeline(of sequence: PlaybackSequence) -> JSONValue {
        var replay = SequenceReplay(sequence)
        return replay.run()
    }

    private init(_ sequence: PlaybackSequence) {
        self.sequence = sequence
        follower = PlaylistFollower(prefersLowLatency: sequence.isLowLatency)
    }

    private mutating func run() -> JSONValue {
        for (at, event) in sequence.events {
            let moment = moment(at)
            switch event {
            case .answer(let answer): take(answer, at: moment)
            case .operation(let operation): perform(operation, at: moment)
            case .sample: sample(at: moment)
            }
        }
        return [
            "schema": "adtop-hls-timeline/1",
            "reloads": .array(reloads),
            "samples": .array(samples),
            "breaks": .array(follower.breaks.breaks.map(\.json)),
            "interstitials": .array(playhead.interstitials.entries.compactMap(\.json)),
        ]
    }

    /// Uptime counts from the first event.
    private mutating func moment(_ wall: UnixTime) -> Moment {
        let start = epochStart ?? wall
        epochStart = start
        return Moment(wall: wall, uptime: wall - start)
    }

    private mutating func take(_ answer: PlaybackSequence.Answer, at moment: Moment) {
        let reload =
            (200..<300).contains(answer.status)
            ? follower.noteParsed(PlaylistParser.parse(answer.body, uri: sequence.playlistURI), requested: moment)
            : follower.noteFailure(status: answer.status, requested: moment)
        let progress = playhead.timelineChanged(follower.timeline, at: moment)
        fetchAssets(at: moment)
        let issues = Set((reload.findings + progress.findings).map(\.rule)).sorted()
        let window = follower.timeline.window
        reloads.append([
            "index": .integer(Int64(reload.index)),
            "file": .optional(answer.file),
            "at_ms": .integer(answer.at.milliseconds),
            "status": .integer(Int64(answer.status)),
            "outcome": .string(reload.outcome.rawValue),
            "window": window?.json ?? .null,
            "playhead_range": window?.playheadRangeJSON ?? .null,
            "next_reload_at_ms": .optional(follower.schedule.nextReload?.wall.roundedMilliseconds),
            "issues": .array(issues.map(JSONValue.string)),
        ])
    }

    private mutating func perform(_ operation: PlaybackSequence.Operation, at moment: Moment) {
        let timeline = follower.timeline
        _ =
            switch operation {
            case .pause: playhead.pause(at: moment, on: timeline)
            case .play: playhead.play(at: moment, on: timeline)
            case .seekLive: playhead.seekLive(at: moment, on: timeline)
            case .seek(let date): playhead.seek(toDate: date, at: moment, on: timeline)
            case .rate(let rate): playhead.setRate(rate, at: moment, on: timeline)
            }
        fetchAssets(at: moment)
    }

    /// Answers are taken as instant: asking at each event, well before the start, changes no instant of playback.
    private mutating func fetchAssets(at moment: Moment) {
        let timeline = follower.timeline
        for request in playhead.takeAssetRequests(on: timeline) {
            switch sequence.assetLists[request.url] {
            case .body(let body):
                do throws(AssetListProblem) {
                    let list = try AssetList.read(body, uri: request.url)
                    _ = playhead.noteAssetList(list, for: request.id, at: moment, on: timeline)
                } catch {
                    _ = playhead.noteAssetFailure(error.explanation, for: request.id, at: moment, on: timeline)
                }
            case .status(let status):
                _ = playhead.noteAssetFailure("answered with \(status)", for: request.id, at: moment, on: timeline)
            case nil:
                _ = playhead.noteAssetFailure("no answer", for: request.id, at: moment, on: timeline)
            }
        }
    }

    private mutating func sample(at moment: Moment) {
        _ = playhead.advance(to: moment, on: follower.timeline)
        fetchAssets(at: moment)
        samples.append(playhead.reading(on: follower.timeline).json(at: moment.wall))
    }
}
