import AdTracking
import HLS
import Ports

/// Makes the views of interstitials in snapshots.
struct InterstitialViews {
    let playhead: Playhead
    let interstitials: InterstitialPart
    /// The newest playlist.
    let playlist: MediaPlaylist?
    /// All known breaks.
    let breaks: [KnownBreak]

    var all: [InterstitialView] {
        let entries = playhead.interstitials.entries
        guard !entries.isEmpty else {
            // Interstitials are not played, so they are not tracked across reloads: shows those in the playlist.
            return (playlist?.interstitials ?? []).map { interstitial in
                InterstitialView(
                    id: interstitial.id, start: interstitial.start, duration: interstitial.expectedDuration)
            }
        }
        let breakIDs = Dictionary(
            breaks.lazy.filter { $0.source == .interstitial }
                .map { ($0.name.text, ViewID.text($0.id)) }, uniquingKeysWith: { first, _ in first })
        return entries.map { view(of: $0, breakID: breakIDs[$0.id]) }
    }

    private func view(of entry: TrackedInterstitial, breakID: String?) -> InterstitialView {
        let record = interstitials[entry.id]
        var view = InterstitialView(id: entry.id, start: entry.definition.start, duration: entry.end)
        view.state = InterstitialView.State(entry)
        view.startedAt = entry.play?.out.wall
        view.stoppedAt = entry.play?.back?.wall
        let assets = entry.knownAssets
        if case .known = entry.assets { view.assetCount = assets.count }
        if case .failed(let reason) = entry.assets { view.problem = reason }
        if let playing = playhead.playedInterstitial, playing.id == entry.id {
            view.elapsed = playing.elapsed
            view.assetIndex = entry.asset(at: playing.elapsed)?.index
        } else if let play = entry.play {
            view.elapsed = play.joinedOffset + play.played
        }
        view.resumeOffset = entry.definition.resumeOffset
        view.playoutLimit = entry.definition.playoutLimit
        view.requests = record.requests.map { request in
            InterstitialRequestView(
                url: request.url, at: request.at.wall, status: request.status, took: request.took,
                problem: request.problem, isAnswered: request.isAnswered)
        }
        view.assets = assets.map { asset in
            InterstitialAssetView(
                uri: asset.uri, duration: asset.isMissing ? nil : asset.duration,
                hasSignaling: asset.extras[CreativeSignal.member] != nil)
        }
        view.findings = record.findings
        view.breakID = breakID
        return view
    }

    /// The interstitial entered last.
    var last: LastInterstitialView? {
        let played = playhead.interstitials.entries.filter { $0.play != nil }
        let last = played.max { ($0.play?.out.uptime ?? .zero) < ($1.play?.out.uptime ?? .zero) }
        guard let last, let play = last.play, let date = interstitials.clockStart(of: last.id) ?? last.definition.start
        else { return nil }
        return LastInterstitialView(
            id: last.id, date: date, start: date + play.joinedOffset,
            stop: play.back.map { _ in date + play.joinedOffset + play.played }, duration: last.end)
    }
}

extension Playhead {
    /// Time left of the current interstitial while it plays.
    var interstitialRest: Duration? {
        guard state == .interstitial, let playing = playedInterstitial, let entry = interstitials[id: playing.id],
            entry.isReady, let end = entry.end
        else { return nil }
        return max(.zero, end - playing.elapsed)
    }
}

extension InterstitialView.State {
    fileprivate init(_ entry: TrackedInterstitial) {
        if entry.isPlaying {
            self = .playing
            return
        }
        switch entry.play?.result {
        case .completed: self = .completed
        case .limited: self = .limited
        case .skipped: self = .skipped
        case .cancelled: self = .cancelled
        case .empty: self = .empty
        case nil:
            switch entry.assets {
            case _ where entry.isPassed: self = .passed
            case _ where !entry.isListed: self = .withdrawn
            case .unknown: self = .listed
            case .requested: self = .requested
            case .known: self = entry.isReady ? .ready : .requested
            case .failed: self = .cancelled
            }
        }
    }
}
