package import AdFormats
package import AdTracking
package import Ports

/// The ad spaces of a session beside the stream, filled from the zones of one ad server and by plugins.
package struct FormatsConfiguration: Sendable, Hashable {
    /// One ad space.
    package struct Slot: Sendable, Hashable {
        package var name: String
        package var unit: String
        package var format: AdFormat
        package var sizeName: String?
        /// Nil for the default of the format.
        package var placement: AdPlacementKind?
        /// Identifier of the plugin that fills it; nil for the ad server.
        package var plugin: String?

        package init(
            name: String, unit: String, format: AdFormat, sizeName: String? = nil, placement: AdPlacementKind? = nil,
            plugin: String? = nil
        ) {
            self.name = name
            self.unit = unit
            self.format = format
            self.sizeName = sizeName
            self.placement = placement
            self.plugin = plugin
        }
    }

    /// A configured plugin that is part of the program.
    package struct BuiltIn: Sendable, Hashable {
        package var identifier: String
        package var configuration: JSONValue

        package init(_ identifier: String, _ configuration: JSONValue) {
            self.identifier = identifier
            self.configuration = configuration
        }
    }

    /// Maximum number of ad spaces in a session.
    package static let maximumSlots = 32

    /// Nil when plugins fill every ad space.
    package var adServer: WebURL?
    /// Plugins in processes of their own.
    package var plugins: [SubprocessPlugin] = []
    /// Configurations of built-in plugins by identifier.
    package var builtIn: [BuiltIn] = []
    package var slots: [Slot]
    package var device = DeviceProfile.Kind.phone
    /// Parameters of ad calls that override those of the device, by key.
    package var parameters: [AdConfig.Parameter] = []
    /// Fields with a banner's refresh rate; empty for the standard fields.
    package var refreshFields: [String] = []
    package var rules = ViewingRules()
    /// Rewarded zones are kept outside the session for an hour, and looked up before a request.
    package var keepsZones = false
    /// Version sent in ad calls.
    package var version = "dev"

    package init(adServer: WebURL?, slots: [Slot]) {
        self.adServer = adServer
        self.slots = Array(slots.prefix(Self.maximumSlots))
    }
}

/// A person's action on an ad space.
package enum FormatAction: Sendable, Hashable {
    case load, show, click, dismiss, reload, replay, pause, mute
    /// Visible share of the ad space, 0 to 1.
    case visibility(Double)
    /// Hides or shows the pane that contains all ad spaces.
    case hidden(Bool)
    /// The terminal changed between taller than wide and wider than tall; applies to all ad spaces.
    case turned(RequestParameters.Orientation)
    /// The program was stopped or continued, or its terminal lost or received the focus; applies to all ad spaces.
    case lifecycle(LifecycleEvent)
}

/// The ad spaces of a session at one moment.
package struct FormatsView: Sendable {
    /// A beacon of an ad and its delivery.
    package struct Report: Sendable, Hashable {
        package var event: String
        /// URLs as requested, or as they would be, one per recipient.
        package var urls: [String]
        package var state: ReportingState
        package var at: UnixTime
    }

    /// One ad space with its beacons, newest last.
    package struct Slot: Sendable {
        package var slot: AdSlot
        package var reports: [Report]
    }

    /// A plugin in a process of its own.
    package struct Plugin: Sendable, Hashable {
        package enum State: String, Sendable, Hashable {
            /// No ad was requested from it yet.
            case idle
            case starting, ready, closing, ended
        }

        package var identifier: String
        /// Its own name; empty until it is ready.
        package var provider: String
        package var state: State
        /// Why it ended.
        package var reason: String?
        /// Number of processes so far.
        package var runs: Int
    }

    package var slots: [Slot]
    package var plugins: [Plugin] = []
    /// Host of the ad server; nil without one.
    package var server: String?
    /// Result of the last ad call; nil before the first.
    package var isUp: Bool?
    package var isHidden: Bool
}
