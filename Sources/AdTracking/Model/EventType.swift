/// What triggers a tracking event.
package enum EventClass: String, Hashable, Sendable, CaseIterable {
    /// Playback alone: impression, quartiles and the like.
    case time
    /// The viewer's action: mute, pause and the like.
    case user
    /// A click. Click-through addresses are landing pages and are never requested.
    case click
    /// A verification script, which is never run.
    case verification
    /// Display of a companion banner or an icon: a monitor displays none.
    case companion
    /// The player's own result: an error, or viewability. Reported when it happens; see
    /// ``AdTracker/failed(_:code:at:)``.
    case player
    /// An unknown name: its due time is unknown, so it is shown and never sent.
    case unknown
}

/// The event names of SSAI metadata (TRK-4) and those that only VAST and VMAP have (VAST-8, VMAP-2). Raw values use the
/// spelling of those documents; metadata names are matched without regard to case, as in one of the reference
/// libraries.
package enum EventType: String, Hashable, Sendable, CaseIterable {
    case impression, start, firstQuartile, midpoint, thirdQuartile, complete
    case creativeView, loaded
    /// Events of a group of ads (SVTA 2053-1).
    case podStart, podEnd
    case mute, unmute, pause, resume, rewind, skip, playerExpand, playerCollapse
    case clickThrough, clickTracking, clickAbstractType
    case verificationNotExecuted
    /// VAST: a time or share of the ad that was played.
    case progress
    /// VAST: actions of the viewer that metadata has no names for.
    case closeLinear, acceptInvitation, otherAdInteraction, adExpand, adCollapse
    /// VAST: display of companions and icons.
    case companionView, iconView
    /// VAST: results that only the player knows.
    case error, viewable, notViewable, viewUndetermined, notUsed
    /// VMAP: start and end of a break.
    case breakStart, breakEnd
    /// An id of the media that no metadata gives a meaning; it is verified (PRV-47).
    case mediaVerification
    /// Any other name, kept in ``TrackingEvent/rawName``.
    case unknown

    /// Reads a metadata name. Names that only VAST defines are unknown in metadata.
    package init(name: String) {
        self = Self.byName[name] ?? Self.byLowerCaseName[name.lowercased()] ?? .unknown
    }

    package var eventClass: EventClass {
        switch self {
        case .impression, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .creativeView, .loaded,
            .progress, .breakStart, .breakEnd, .podStart, .podEnd, .mediaVerification:
            .time
        case .mute, .unmute, .pause, .resume, .rewind, .skip, .playerExpand, .playerCollapse, .closeLinear,
            .acceptInvitation, .otherAdInteraction, .adExpand, .adCollapse:
            .user
        case .companionView, .iconView: .companion
        case .error, .viewable, .notViewable, .viewUndetermined, .notUsed: .player
        case .clickThrough, .clickTracking, .clickAbstractType: .click
        case .verificationNotExecuted: .verification
        case .unknown: .unknown
        }
    }

    /// The share of the planned length at which the event is due; nil when none is prescribed.
    package var quartileShare: Double? {
        switch self {
        case .start: 0
        case .firstQuartile: 0.25
        case .midpoint: 0.5
        case .thirdQuartile: 0.75
        case .complete: 1
        default: nil
        }
    }

    /// The type that reports `action`.
    package init(_ action: UserAction) {
        switch action {
        case .mute: self = .mute
        case .unmute: self = .unmute
        case .pause: self = .pause
        case .resume: self = .resume
        case .rewind: self = .rewind
        case .skip: self = .skip
        case .playerExpand: self = .playerExpand
        case .playerCollapse: self = .playerCollapse
        }
    }

    private static let known: [EventType] = [
        .impression, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .creativeView, .loaded, .mute,
        .unmute, .pause, .resume, .rewind, .skip, .playerExpand, .playerCollapse, .clickThrough, .clickTracking,
        .clickAbstractType, .verificationNotExecuted,
    ]
    private static let byName = Dictionary(uniqueKeysWithValues: known.map { ($0.rawValue, $0) })
    private static let byLowerCaseName = Dictionary(uniqueKeysWithValues: known.map { ($0.rawValue.lowercased(), $0) })
}
