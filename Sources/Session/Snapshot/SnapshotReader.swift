import AdTracking
import HLS
package import Ports

/// Reads `adtop-snapshot/1` back into a snapshot, as far as the views of a session need it: session, playlist, playhead, breaks, counters,
/// activity, findings, log. What is missing or of another type is left out, because the text may be of another version, and is not trusted.
package struct SnapshotReader: Sendable {
    /// Most breaks, ads of a break, events of an ad and lines of a log that are read.
    static let longestList = 2_000
    /// Dates and spans beyond these are left out: about the year 9999, and a year.
    private static let latest: Int64 = 253_402_300_000_000
    private static let longest: Int64 = 31_536_000_000

    /// The moment of the snapshot.
    let at: Moment

    /// - Returns: nil for another schema.
    /// - Parameter age: how long ago it was made.
    package static func read(_ json: JSONValue, age: Duration, now: Moment) -> Snapshot? {
        guard json["schema"]?.stringValue == SnapshotJSON.version, let wall = json["atMs"]?.integerValue,
            (0...latest).contains(wall)
        else { return nil }
        let at = Moment(wall: UnixTime(milliseconds: wall), uptime: now.uptime - age)
        return SnapshotReader(at: at).snapshot(json)
    }

    private func snapshot(_ json: JSONValue) -> Snapshot {
        var snapshot = Snapshot.empty(at: at)
        snapshot.session = session(json["session"])
        snapshot.playlist = playlist(json["playlist"], over: snapshot.playlist)
        snapshot.playhead = playhead(json["playhead"])
        if let start = date(json["dataRange"]?["startMs"]), let end = date(json["dataRange"]?["endMs"]), start <= end {
            snapshot.dataRange = start...end
        }
        snapshot.coverageAhead = span(json["coverageAheadMs"])
        snapshot.timeToNextBreak = span(json["timeToNextBreakMs"])
        snapshot.breaks = list(json["breaks"]).map(adBreak)
        snapshot.playedRanges = list(json["playedRanges"]).compactMap { range in
            guard let start = date(range["startMs"]), let end = date(range["endMs"]), start <= end else { return nil }
            return start...end
        }
        snapshot.counters = counters(json["counters"])
        snapshot.activity = activity(json["activity"])
        snapshot.findings = list(json["findings"]).compactMap(finding)
        for line in list(json["log"]) { if let entry = entry(line) { snapshot.log.append(entry) } }
        if let error = json["latestError"], let kind = error["kind"]?.stringValue.flatMap(ErrorKind.init) {
            snapshot.errors.note(kind, text(error["message"]), at: moment(error["atMs"]) ?? at)
        }
        return snapshot
    }

    // MARK: Values

    func list(_ json: JSONValue?) -> ArraySlice<JSONValue> { (json?.arrayValue ?? []).prefix(Self.longestList) }
    func text(_ json: JSONValue?) -> String { json?.stringValue ?? "" }
    func flag(_ json: JSONValue?) -> Bool { json?.boolValue ?? false }

    func count(_ json: JSONValue?) -> Int {
        min(max(json?.integerValue.map { Int(clamping: $0) } ?? 0, 0), 1_000_000_000)
    }

    func status(_ json: JSONValue?) -> Int? { json?.integerValue.flatMap { (100...999).contains($0) ? Int($0) : nil } }

    func date(_ json: JSONValue?) -> UnixTime? {
        json?.integerValue.flatMap { $0.magnitude <= UInt64(Self.latest) ? UnixTime(milliseconds: $0) : nil }
    }

    func span(_ json: JSONValue?) -> Duration? {
        json?.integerValue.flatMap { $0.magnitude <= UInt64(Self.longest) ? .milliseconds($0) : nil }
    }

    func stream(_ json: JSONValue?) -> StreamTime? {
        span(json).map { StreamTime(microseconds: $0.inMicroseconds) }
    }

    /// A wall clock of the snapshot on our uptime.
    func moment(_ json: JSONValue?) -> Moment? {
        date(json).map { at.advanced(by: $0 - at.wall) }
    }
}

extension SnapshotReader {
    private func session(_ json: JSONValue?) -> SessionView {
        var session = SessionView.empty
        session.name = text(json?["name"])
        session.mediaURL = text(json?["mediaUrl"])
        session.manifestURL = json?["manifestUrl"]?.stringValue
        session.metadataURL = json?["metadataUrl"]?.stringValue
        session.provider = json?["provider"]?.stringValue ?? "auto"
        session.initPath = json?["initPath"]?.stringValue
        session.sessionID = json?["sessionId"]?.stringValue
        session.mode = json?["mode"]?.stringValue.flatMap(ReportingMode.init) ?? .observe
        session.phase = json?["phase"]?.stringValue.flatMap(SessionView.Phase.init) ?? .running
        session.renewals = count(json?["renewals"])
        session.playlistHealth = health(json?["playlistHealth"])
        session.metadataHealth = health(json?["metadataHealth"])
        if let service = json?["service"], service["reporter"]?.stringValue != nil {
            session.service = ServiceView(
                mode: service["mode"]?.stringValue,
                reporter: service["reporter"]?.stringValue.flatMap(ProviderStatus.Reporter.init) ?? .viewer,
                tokenSince: moment(service["tokenSinceMs"]), interval: span(service["intervalMs"]))
            session.service?.prefetch = ProviderStatus.Prefetch(
                stream: service["prefetch"]?["stream"]?.stringValue, mode: service["prefetch"]?["mode"]?.stringValue)
            // A picture may be minutes old: its planned times are over.
            if service["next"]?["reason"]?.stringValue == PollReason.complete.rawValue {
                session.service?.next = NextPollView(at: nil, reason: .complete)
            }
        }
        return session
    }

    private func health(_ json: JSONValue?) -> FeedHealth {
        var health = FeedHealth.none
        health.state = json?["state"]?.stringValue.flatMap(FeedHealth.State.init) ?? .none
        health.status = status(json?["status"])
        health.took = span(json?["tookMs"])
        health.bytes = json?["bytes"]?.integerValue.map { _ in count(json?["bytes"]) }
        health.lastGoodAt = moment(json?["lastGoodAtMs"])
        health.consecutiveFailures = count(json?["consecutiveFailures"])
        health.problem = json?["problem"]?.stringValue
        health.isPing = flag(json?["ping"])
        return health
    }

    private func playlist(_ json: JSONValue?, over empty: PlaylistView) -> PlaylistView {
        var playlist = empty
        playlist.kind = json?["kind"]?.stringValue.flatMap(PlaylistView.Kind.init) ?? .unknown
        playlist.url = json?["url"]?.stringValue
        playlist.variantCount = count(json?["variantCount"])
        playlist.targetDuration = span(json?["targetDurationMs"])
        playlist.segmentCount = count(json?["segmentCount"])
        playlist.mediaSequence = json?["mediaSequence"]?.integerValue
        playlist.hasEnded = flag(json?["hasEnded"])
        playlist.windowStart = stream(json?["windowStartStreamMs"])
        playlist.windowEnd = stream(json?["windowEndStreamMs"])
        playlist.windowStartDate = date(json?["windowStartMs"])
        playlist.windowEndDate = date(json?["windowEndMs"])
        playlist.holdBack = span(json?["holdBackMs"])
        playlist.discontinuities = count(json?["discontinuities"])
        playlist.reloads = count(json?["reloads"])
        return playlist
    }

    private func playhead(_ json: JSONValue?) -> PlayheadView {
        var playhead = PlayheadView.empty
        playhead.state = json?["state"]?.stringValue.flatMap(PlayheadView.State.init) ?? .idle
        playhead.stream = stream(json?["streamMs"])
        playhead.date = date(json?["pdtMs"])
        playhead.rate = json?["rate"]?.doubleValue.map { min(max($0, 0), 64) } ?? 1
        playhead.isMuted = flag(json?["muted"])
        playhead.latency = span(json?["latencyMs"])
        playhead.behindEdge = span(json?["behindEdgeMs"])
        playhead.drift = span(json?["driftMs"])
        return playhead
    }
}

extension Snapshot {
    /// A snapshot of nothing, for who has none yet.
    package static func empty(at: Moment, named name: String = "") -> Snapshot {
        var session = SessionView.empty
        session.name = name
        return Snapshot(
            at: at, session: session,
            playlist: PlaylistView(
                kind: .unknown, variantCount: 0, segmentCount: 0, hasEnded: false, discontinuities: 0, reloads: 0),
            playhead: .empty, breaks: [], interstitials: [], playedRanges: [], counters: Counters(),
            activity: ActivityView(beaconsPerSecond: [], errorsPerSecond: [], hosts: []), findings: [],
            log: LogView(capacity: SnapshotReader.longestList))
    }
}

extension SessionView {
    static let empty = SessionView(
        name: "", mediaURL: "", provider: "auto", mode: .observe, canArm: false, phase: .starting,
        playlistHealth: .none, metadataHealth: .none)
}

extension PlayheadView {
    static let empty = PlayheadView(state: .idle, rate: 1, isMuted: false)
}
