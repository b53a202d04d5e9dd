package import Ports
package import VAST

/// Places the events of a tracking plan on the time at which its ad plays.
package enum DecidedEvents {
    /// Maximum number of URLs per event, as in metadata; real events have a handful.
    package static let urlsPerEvent = DecodedMetadata.urlsPerEvent
    /// Member of an event's extras: the number of its URLs, where there are more.
    package static let excess = "urlsFound"

    /// The time an ad occupies and its macro values.
    package struct Frame: Hashable, Sendable {
        package var start: UnixTime
        /// End of the whole creative, even when the ad is cut before it.
        package var creativeEnd: UnixTime
        package var values: MacroValues

        package init(start: UnixTime, creativeEnd: UnixTime, values: MacroValues) {
            self.start = start
            self.creativeEnd = creativeEnd
            self.values = values
        }
    }

    /// The events in the order of the plan.
    package static func events(of plan: TrackingPlan, in frame: Frame) -> [TrackingEvent] {
        let names = Set(plan.events.map(\.name))
        return plan.events.map { event in
            var type = EventType(vast: event.name, beside: names)
            // With an offset, VAST 4.0's timeSpentViewing is today's progress.
            if event.name == EventName.timeSpentViewing.rawValue, event.offset != nil { type = .progress }
            // Loading is not playing, but the virtual player loads an ad no earlier than it plays it.
            let moment = event.atMilliseconds ?? (type == .loaded ? 0 : nil)
            // A share of an unknown duration never falls due (VAST 3.0 section 2.3.2.3), nor does a time after the end.
            if type.eventClass == .time, moment == nil { type = .unknown }
            var made = TrackingEvent(
                type: type, rawName: event.name, start: frame.start + .milliseconds(moment ?? 0),
                urls: event.urls.prefix(urlsPerEvent).map(\.template),
                macros: BeaconMacros(values: frame.values, context: event.urls.first?.context ?? .tracking))
            if event.urls.count > urlsPerEvent { made.extras.append(excess, .integer(Int64(event.urls.count))) }
            if let offset = event.offset { made.extras.append("offset", .string(offset)) }
            if type.eventClass == .user || type.eventClass == .click {
                made.duration = frame.creativeEnd - frame.start
            }
            if type == .skip { offer(&made, from: plan.skipFromMilliseconds, in: frame) }
            return made
        }
    }

    /// A skip is possible only from the offset on; without an offset it never is (VAST 4.3 section 3.8).
    private static func offer(_ skip: inout TrackingEvent, from milliseconds: Int64?, in frame: Frame) {
        let opening = milliseconds.map { frame.start + .milliseconds($0) } ?? frame.creativeEnd
        skip.start = min(opening, frame.creativeEnd)
        skip.duration = frame.creativeEnd - skip.start
        skip.isWindowed = true
    }
}

extension EventType {
    /// An event of a tracking plan.
    /// - Parameter names: all names of the plan. A name of an older version counts as today's name only where that is
    ///   missing (VAST-8).
    package init(vast name: String, beside names: Set<String>) {
        switch name {
        case "customClick", "iconClickTracking", "companionClickTracking", "nonLinearClickTracking":
            self = .clickTracking
        case "fullscreen": self = names.contains("playerExpand") ? .unknown : .playerExpand
        case "exitFullscreen": self = names.contains("playerCollapse") ? .unknown : .playerCollapse
        case "expand": self = names.contains("adExpand") ? .unknown : .adExpand
        case "collapse": self = names.contains("adCollapse") ? .unknown : .adCollapse
        case "close": self = names.contains("closeLinear") ? .unknown : .closeLinear
        case "acceptInvitationLinear": self = .acceptInvitation
        default: self = EventType(rawValue: name) ?? .unknown
        }
    }
}
