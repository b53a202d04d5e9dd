import HLS
import Ports

/// The cost of polls: an answer that takes longer to handle than the time to the next one takes a whole core.
extension MonitorState {
    /// Shorter times are never reported: no feed is polled more often.
    package static let leastCost = PlaylistPart.shortestReload

    /// The purpose of the poll that an input answers; nil for other inputs.
    package func poll(answeredBy input: Input) -> FetchPurpose? {
        guard case .fetched(let id, _) = input, let purpose = requests[id]?.purpose, interval(of: purpose) != nil
        else { return nil }
        return purpose
    }

    mutating func answerHandled(_ purpose: FetchPurpose, took: Duration, at now: Moment) {
        guard let interval = interval(of: purpose), took > interval else { return }
        let finding = Finding(
            rule: SessionRule.costlyPoll, severity: .warning,
            message:
                "handling an answer took \(Wording.seconds(took)), the next one is due after \(Wording.seconds(interval))",
            path: purpose == .metadata ? "metadata" : "playlist", section: "HLS-8")
        noteFindings([finding], from: purpose == .metadata ? .metadata : .playlist, at: now)
    }

    /// How often a feed is polled; nil for what is requested once.
    private func interval(of purpose: FetchPurpose) -> Duration? {
        switch purpose {
        case .metadata: configuration.metadataInterval
        case .mediaPlaylist:
            playlist.follower.timeline.playlist?.partTarget ?? playlist.follower.timeline.targetDuration
                ?? PlaylistPart.shortestReload
        default: nil
        }
    }
}
