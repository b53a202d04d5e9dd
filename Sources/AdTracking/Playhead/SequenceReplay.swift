package import HLS
package import Ports

/// Plays a `PlaybackSequence` through the same follower and playhead as a live session, and reports the result in
/// schema `adtop-hls-timeline/1`.
///
/// Events are applied one by one, so that answers may come from a folder or over a network during the replay.
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

    /// A replay before its first event; answers, operations and samples of `sequence` count only when they are applied
    /// with ``take(_:at:)``.
    ///
    /// The schema's model accepts every playlist; a client of a server ignores the old copies from lagging caches
    /// (`ignoresOldCopies`).
    package init(_ sequence: PlaybackSequence, playsInterstitials: Bool = true, ignoresOldCopies: Bool = false) {
        self.sequence = sequence
        follower = PlaylistFollower(prefersLowLatency: sequence.isLowLatency, ignoresOldCopies: ignoresOldCopies)
        playhead = Playhead(playsInterstitials: playsInterstitials)
    }

    /// The result so far in schema `adtop-hls-timeline/1`.
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

    /// Time of the next playlist request; nil when there is none.
    package var nextReload: UnixTime? { follower.schedule.nextReload?.wall }

    /// Directives and timeout of a request at `at`.
    package func request(at: UnixTime) -> (directives: DeliveryDirectives, timeout: Duration) {
        let directives = follower.directives(at: moment(at))
        return (directives, directives.timeout(on: follower.timeline))
    }

    /// Applies one event; events must come in order of time.
    package mutating func take(_ event: PlaybackSequence.Event, at: UnixTime) {
        epochStart = epochStart ?? at
        switch event {
        case .answer(let answer): take(answer, at: moment(at))
        case .operation(let operation): perform(operation, at: moment(at))
        case .sample: sample(at: moment(at))
        }
    }

    /// Uptime is counted from the first event.
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
        // A playlist is too old to join while the follower is catching up.
        let waits = playhead.state == .idle && follower.isTuningIn
        let progress =
            waits ? PlayheadProgress() : playhead.timelineChanged(follower.timeline, at: exchange.answered)
        fetchAssets(at: exchange.answered)
        var issues = Set((reload.findings + progress.findings).map(\.rule))
        // A list of what holds, not of what is reported: what is stuck is stale, too.
        if reload.isStale { issues.insert(ReloadRule.stalePlaylist.rawValue) }
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
            "issues": .array(issues.sorted().map(JSONValue.string)),
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

    /// Answers arrive instantly: requesting at each event, well before the start, changes no instant of playback.
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
                _ = playhead.noteAssetFailure(
                    "answered with \(status)", for: request.id, asset: request.asset, at: moment, on: timeline)
            case nil:
                _ = playhead.noteAssetFailure(
                    "no answer", for: request.id, asset: request.asset, at: moment, on: timeline)
            }
        }
    }

    private mutating func sample(at moment: Moment) {
        _ = playhead.advance(to: moment, on: follower.timeline)
        fetchAssets(at: moment)
        samples.append(playhead.reading(on: follower.timeline).json(at: moment.wall))
    }
}
