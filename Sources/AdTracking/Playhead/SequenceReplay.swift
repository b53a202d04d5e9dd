package import HLS
package import Ports

/// Plays a `PlaybackSequence` through the same follower and playhead as a live session, and says what came of it in
/// schema `adtop-hls-timeline/1`.
///
/// Events are taken one by one, so that answers may come from a folder or over a network while it plays.
package struct SequenceReplay: Sendable {
    private let sequence: PlaybackSequence
    private var follower: PlaylistFollower
    private var playhead: Playhead
    private var epochStart: UnixTime?
    private var reloads: [JSONValue] = []
    private var samples: [JSONValue] = []

    /// The timeline of `sequence`.
    package static func timeline(of sequence: PlaybackSequence) -> JSONValue {
        var replay = SequenceReplay(sequence)
        for (at, event) in sequence.events { replay.take(event, at: at) }
        return replay.timeline
    }

    /// Nothing of `sequence` has happened yet; its answers, operations and samples count only as events that are taken.
    ///
    /// The schema's model takes every playlist at its word; whoever follows a server leaves the old copies of lagging
    /// caches aside (`ignoresOldCopies`).
    package init(_ sequence: PlaybackSequence, playsInterstitials: Bool = true, ignoresOldCopies: Bool = false) {
        self.sequence = sequence
        follower = PlaylistFollower(prefersLowLatency: sequence.isLowLatency, ignoresOldCopies: ignoresOldCopies)
        playhead = Playhead(playsInterstitials: playsInterstitials)
    }

    /// What has happened so far, in schema `adtop-hls-timeline/1`.
    package var timeline: JSONValue {
        [
            "schema": "adtop-hls-timeline/1",
            "reloads": .array(reloads),
            "samples": .array(samples),
            "breaks": .array(follower.breaks.breaks.map(\.json)),
            "interstitials": .array(playhead.interstitials.entries.compactMap(\.json)),
        ]
    }

    /// The newest entry of `reloads`; nil before the first.
    package var newestReload: JSONValue? { reloads.last }

    /// When the playlist is asked for next; nil when there is nothing more to ask for.
    package var nextReload: UnixTime? { follower.schedule.nextReload?.wall }

    /// A playlist came, and more may follow.
    package var isFollowing: Bool { follower.timeline.playlist != nil && !follower.timeline.hasEnded }

    /// What a request at `at` asks for, and how long it may take.
    package func request(at: UnixTime) -> (directives: DeliveryDirectives, timeout: Duration) {
        let directives = follower.directives(at: moment(at))
        return (directives, directives.timeout(on: follower.timeline))
    }

    /// Events are taken in order of time.
    package mutating func take(_ event: PlaybackSequence.Event, at: UnixTime) {
        epochStart = epochStart ?? at
        switch event {
        case .answer(let answer): take(answer, at: moment(at))
        case .operation(let operation): perform(operation, at: moment(at))
        case .sample: sample(at: moment(at))
        }
    }

    /// Uptime counts from the first event.
    private func moment(_ wall: UnixTime) -> Moment {
        Moment(wall: wall, uptime: wall - (epochStart ?? wall))
    }

    private mutating func take(_ answer: PlaybackSequence.Answer, at moment: Moment) {
        let exchange = ReloadExchange(
            requested: moment, answered: self.moment(answer.answered ?? answer.at), directives: answer.directives,
            age: answer.age)
        let reload: Reload
        if let status = answer.status, (200..<300).contains(status) {
            let parsed = PlaylistParser.parse(
                answer.body, uri: answer.uri ?? sequence.playlistURI, variables: sequence.variables)
            reload = follower.noteParsed(parsed, exchange)
        } else {
            reload = follower.noteFailure(status: answer.status, exchange)
        }
        // A playlist that is still being caught up with is too old to join.
        let waits = playhead.state == .idle && follower.isTuningIn
        let progress =
            waits ? PlayheadProgress() : playhead.timelineChanged(follower.timeline, at: exchange.answered)
        fetchAssets(at: exchange.answered)
        let issues = Set((reload.findings + progress.findings).map(\.rule)).sorted()
        let window = follower.timeline.window
        reloads.append([
            "index": .integer(Int64(reload.index)),
            "file": .optional(answer.file),
            "at_ms": .integer(answer.at.milliseconds),
            "status": .optional(answer.status),
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
