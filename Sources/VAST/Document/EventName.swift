/// The tracking events of all versions (VAST-8).
package enum EventName: String, CaseIterable, Hashable, Sendable {
    case loaded, creativeView, start, firstQuartile, midpoint, thirdQuartile, complete, progress
    case mute, unmute, pause, resume, rewind
    case fullscreen, exitFullscreen, playerExpand, playerCollapse
    case expand, collapse, adExpand, adCollapse
    case skip, closeLinear, close, acceptInvitation, acceptInvitationLinear
    case timeSpentViewing, minimize, overlayViewDuration, otherAdInteraction, interactiveStart
    case notUsed, verificationNotExecuted

    /// What triggers an event.
    package enum Cause: String, Hashable, Sendable {
        /// Playback time.
        case time
        /// An action of the viewer.
        case user
        /// The player by itself.
        case player
        /// Code of the creative.
        case creative
    }

    /// The kinds of element that an event can belong to.
    package struct Subjects: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let linear = Subjects(rawValue: 1)
        package static let nonLinear = Subjects(rawValue: 2)
        package static let companion = Subjects(rawValue: 4)
        package static let verification = Subjects(rawValue: 8)
    }

    private static let byLowerCase = Dictionary(
        allCases.map { ($0.rawValue.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

    /// The standard spelling of a known name in any case; other names are unchanged.
    static func spelling(of name: String) -> String {
        if EventName(rawValue: name) != nil { return name }
        return byLowerCase[name.lowercased()]?.rawValue ?? name
    }

    package var cause: Cause {
        switch self {
        case .creativeView, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .progress,
            .timeSpentViewing, .overlayViewDuration:
            .time
        case .loaded, .notUsed, .verificationNotExecuted: .player
        case .interactiveStart: .creative
        default: .user
        }
    }

    /// The percentage of the duration after which it fires; nil when duration alone does not decide.
    package var percent: Double? {
        switch self {
        case .creativeView, .start: 0
        case .firstQuartile: 25
        case .midpoint: 50
        case .thirdQuartile: 75
        case .complete: 100
        default: nil
        }
    }

    /// The elements that a document of that version may attach it to; empty when the version does not define it.
    package func subjects(in version: VASTVersion) -> Subjects {
        let both: Subjects = [.linear, .nonLinear]
        let (v3, v4, v41) = (version >= .v3, version >= .v4, version >= .v41)
        switch self {
        case .creativeView: return v4 ? [.nonLinear, .companion] : [.linear, .nonLinear, .companion]
        case .start, .firstQuartile, .midpoint, .thirdQuartile, .complete:
            return !v3 || version >= .v42 ? both : .linear
        case .mute, .unmute, .pause, .resume, .rewind: return both
        case .loaded: return v41 ? .linear : []
        case .progress: return v3 ? .linear : []
        case .fullscreen: return v4 ? [] : both
        case .exitFullscreen: return v3 && !v4 ? both : []
        case .playerExpand, .playerCollapse, .otherAdInteraction: return v4 ? both : []
        case .expand, .collapse: return v4 ? [] : both
        case .adExpand, .adCollapse, .minimize, .overlayViewDuration: return v4 ? .nonLinear : []
        case .skip: return v3 ? .linear : []
        case .closeLinear: return v3 && (!v4 || v41) ? .linear : []
        case .close, .acceptInvitation: return v3 ? .nonLinear : both
        case .acceptInvitationLinear: return v3 && !v41 ? .linear : []
        case .timeSpentViewing: return v4 && !v41 ? .linear : []
        case .interactiveStart: return version >= .v42 ? .linear : []
        case .notUsed: return v41 ? both : []
        case .verificationNotExecuted: return .verification
        }
    }

    /// Names of the same event in other versions, used when only such a name is present (VAST-8).
    package var aliases: [EventName] {
        switch self {
        case .fullscreen: [.playerExpand]
        case .playerExpand: [.fullscreen]
        case .exitFullscreen: [.playerCollapse]
        case .playerCollapse: [.exitFullscreen]
        case .closeLinear: [.close]
        case .expand: [.adExpand]
        case .adExpand: [.expand]
        case .collapse: [.adCollapse]
        case .adCollapse: [.collapse]
        default: []
        }
    }
}
