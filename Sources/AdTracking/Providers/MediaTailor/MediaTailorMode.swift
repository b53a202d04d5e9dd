package import Ports

/// Who reports the ads of a session (PRV-16). Raw values are the words of JSON and screen.
package enum MediaTailorMode: String, Hashable, Sendable, CaseIterable {
    /// The player reports all.
    case client
    /// The service reports what playback triggers, the player the rest.
    case hybrid
    /// The service reports all; there is no tracking data.
    case server

    var reporter: ProviderStatus.Reporter {
        switch self {
        case .client: .viewer
        case .hybrid: .both
        case .server: .service
        }
    }

    /// The notice for a session in which the service reports; nil where it does not.
    /// - Parameter hasTracking: whether there is tracking data at all.
    func finding(hasTracking: Bool, reportsAnyway: Bool) -> Finding? {
        switch self {
        case .client: return nil
        case .hybrid:
            return ReportingNotice.finding(
                "the service reports impressions, quartiles, and starts and ends of breaks",
                reportsAnyway: reportsAnyway)
        case .server where hasTracking:
            return ReportingNotice.finding("the service reports the ads", reportsAnyway: reportsAnyway)
        case .server:
            return ProviderRule.reportedByService.finding(
                "the service reports the ads, and there is no tracking data to show them", path: "")
        }
    }

    /// Whether the service itself reports an event; overlays are the player's unless the service reports all.
    func isReportedByService(_ type: EventType, ofLinearAd isLinear: Bool) -> Bool {
        (isLinear || self == .server) && isReportedByService(type)
    }

    /// Whether the service itself reports an event of a break or linear ad.
    func isReportedByService(_ type: EventType) -> Bool {
        switch (self, type) {
        case (.client, _): false
        case (.server, _): true
        case (.hybrid, .impression), (.hybrid, .start), (.hybrid, .firstQuartile), (.hybrid, .midpoint),
            (.hybrid, .thirdQuartile), (.hybrid, .complete), (.hybrid, .breakStart), (.hybrid, .breakEnd):
            true
        case (.hybrid, _): false
        }
    }
}

/// The addresses of a session and who reports in it (PRV-14 to PRV-16).
package struct MediaTailorSession: Hashable, Sendable {
    /// Nil when only the tracking data is known.
    package var manifest: WebURL?
    /// Nil when the service reports all, and with guided insertion.
    package var tracking: WebURL?
    package var mode: MediaTailorMode

    /// A running session, of which one address is known: what it contains does not show who reports.
    package init(attachedTo tracking: WebURL?, manifest: WebURL? = nil) {
        self.manifest = manifest
        self.tracking = tracking
        mode = .client
    }

    /// The session that the first request of a manifest made.
    /// - Parameters:
    ///   - asked: the address that was requested.
    ///   - playlist: the address of one of its media playlists.
    package init(implicit asked: WebURL, playlist: WebURL?) {
        let mode = QueryItems(asked.query)["aws.reportingMode"]?.lowercased()
        self.mode = mode == "client" ? .client : .server
        let address = playlist.flatMap(MediaTailorAddress.init)
        tracking = self.mode == .client ? address?.tracking : nil
        manifest = asked
        if let session = address?.session {
            var items = QueryItems(asked.query)
            items.appendIfAbsent(name: "aws.sessionId", value: session)
            manifest = (try? asked.with(path: asked.path, query: items.text)) ?? asked
        }
    }

    /// The session in the answer to a request that asked for one.
    /// - Parameters:
    ///   - mode: the reporting mode in the request; nil if it named none.
    ///   - asked: base of relative addresses.
    package static func explicit(
        _ answer: JSONValue, mode: String?, asked: WebURL
    ) -> Result<MediaTailorSession, MediaTailorProblem> {
        let members = MediaTailorMembers(answer)
        let manifest = members.flatMap { $0.text("manifesturl") ?? $0.text("manifest") }
        guard let manifest else { return .failure(MediaTailorProblem(text: "has no manifestUrl")) }
        guard let manifest = try? asked.resolving(manifest) else {
            return .failure(MediaTailorProblem(text: "has a manifestUrl that is not an address"))
        }
        let tracking = members.flatMap { $0.text("trackingurl") ?? $0.text("tracking") }
        var session = MediaTailorSession(attachedTo: tracking.flatMap { try? asked.resolving($0) }, manifest: manifest)
        // A damaged address shows that there is tracking data, and so may a damaged name; without one there may be none.
        let hasTracking = tracking != nil || members?.hasDamagedName == true
        if mode?.lowercased() == "server" { session.mode = hasTracking ? .hybrid : .server }
        if hasTracking { session.tracking = session.tracking ?? MediaTailorAddress(manifest)?.tracking }
        return .success(session)
    }

    /// The session's id in one of its addresses.
    package var id: String? {
        [tracking, manifest].lazy.compactMap(\.self).compactMap { MediaTailorAddress($0)?.session }.first
    }
}

/// Why an answer opens no session, as a clause.
package struct MediaTailorProblem: Error, Hashable, Sendable {
    package var text: String
}
