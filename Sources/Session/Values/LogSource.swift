/// What a line of the log is about. Raw values are the words of `:log` and of JSON.
package enum LogSource: String, Sendable, CaseIterable {
    /// Opening and end of the session, the playhead, the viewer's actions, the journal.
    case session
    case beacons, playlist, metadata
    /// Tags and ads that the session requests itself.
    case ads
    case auction
    /// Ad spaces, rewarded zones, plugins and the creative cache.
    case formats
}

extension FindingSource {
    /// Where findings of this source are logged.
    var log: LogSource {
        switch self {
        case .playlist: .playlist
        case .metadata: .metadata
        case .delivery: .beacons
        case .decision: .ads
        }
    }
}
