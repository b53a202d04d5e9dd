package import Ports

/// Who reports the ads of a session (PRV-42). Raw values are the words of JSON and screen.
package enum UplynkMode: String, Hashable, Sendable, CaseIterable {
    /// The player reports all.
    case client
    /// The service reports what playback triggers, because of the player's pings.
    case pings
    /// The service reports what playback triggers, because of the requests of playlists and segments.
    case server

    /// The bits of `ad.pingf` for which the service sends impressions because of pings.
    private static let impressions = 0b11

    /// The mode that the request for a session asked for.
    package init(asked: WebURL) {
        let items = QueryItems(asked.query)
        if items["ad.cping"] == "1" {
            let wanted = items["ad.pingf"].flatMap { Int($0) } ?? 0
            self = wanted & Self.impressions != 0 ? .pings : .client
        } else {
            let isOff = items["ad.sssb"].map { !["", "0"].contains($0) } ?? false
            self = isOff ? .client : .server
        }
    }

    var reporter: ProviderStatus.Reporter {
        switch self {
        case .client: .viewer
        case .pings: .both
        case .server: .service
        }
    }

    /// An event with the party that reports it: what the viewer or the player does is never the service's.
    func reported(_ event: ListedEvent) -> ListedEvent {
        var event = event
        event.isReportedByService = isReportedByService(event.type)
        return event
    }

    func isReportedByService(_ type: EventType) -> Bool { self != .client && type.eventClass == .time }

    /// The notice for a session in which the service may report; nil where it does not.
    /// - Parameter reportsAnyway: the viewer reports all the same.
    func finding(reportsAnyway: Bool) -> Finding? {
        let how: String? =
            switch self {
            case .client: nil
            case .pings: "the service reports ads because of pings"
            case .server:
                "the service reports ads because of requests of playlists and segments, perhaps those of adtop too"
            }
        return ReportingNotice.finding(how, reportsAnyway: reportsAnyway)
    }
}
