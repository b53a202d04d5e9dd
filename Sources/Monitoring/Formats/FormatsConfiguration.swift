package import AdFormats
package import Ports

/// The ad spaces a session fills beside the stream, from the zones of one ad server and from plugins.
package struct FormatsConfiguration: Sendable, Hashable {
    /// One ad space.
    package struct Slot: Sendable, Hashable {
        package var name: String
        package var unit: String
        package var format: AdFormat
        package var sizeName: String?
        /// Nil for the usual one of the format.
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

    /// A plugin that is part of the program, configured.
    package struct BuiltIn: Sendable, Hashable {
        package var identifier: String
        package var configuration: JSONValue

        package init(_ identifier: String, _ configuration: JSONValue) {
            self.identifier = identifier
            self.configuration = configuration
        }
    }

    /// Ad spaces of one session.
    package static let maximumSlots = 32

    /// Nil where plugins fill every ad space.
    package var adServer: WebURL?
    /// In processes of their own.
    package var plugins: [SubprocessPlugin] = []
    /// Configurations of built-in plugins, by identifier.
    package var builtIn: [BuiltIn] = []
    package var slots: [Slot]
    package var device = DeviceProfile.Kind.phone
    /// Parameters of ad calls that are not as the device has them, by key.
    package var parameters: [AdConfig.Parameter] = []
    /// Where a banner's refresh rate is looked for; empty for the standard fields.
    package var refreshFields: [String] = []
    package var rules = ViewingRules()
    /// Rewarded zones are kept beside the session, for their hour; it looks there before it asks.
    package var keepsZones = false
    /// Said in ad calls.
    package var version = "dev"

    package init(adServer: WebURL?, slots: [Slot]) {
        self.adServer = adServer
        self.slots = Array(slots.prefix(Self.maximumSlots))
    }
}

/// What a person does to an ad space.
package enum FormatAction: Sendable, Hashable {
    case load, show, click, dismiss, reload, replay, pause, mute
    /// Share of it that can be seen, 0 to 1.
    case visibility(Double)
    /// The pane that holds all of them is switched off or on.
    case hidden(Bool)
    /// The terminal is taller than wide, or the other way round; it concerns all of them.
    case turned(RequestParameters.Orientation)
    /// The program is stopped or continued, its terminal loses the focus or has it again; it concerns all of them.
    case lifecycle(LifecycleEvent)
}

/// The ad spaces of a session as they are at one moment.
package struct FormatsView: Sendable {
    /// A beacon of an ad, and how its delivery stands.
    package struct Report: Sendable, Hashable {
        package var event: String
        /// As it would be or was requested, one for each receiver.
        package var urls: [String]
        /// In the words of event states: `done`, `observed`, `failed`, …
        package var state: String
        package var at: UnixTime
    }

    /// One ad space with what became of its beacons, newest last.
    package struct Slot: Sendable {
        package var slot: AdSlot
        package var reports: [Report]
    }

    /// A plugin in a process of its own.
    package struct Plugin: Sendable, Hashable {
        package enum State: String, Sendable, Hashable {
            /// Nobody wanted an ad of it yet.
            case idle
            case starting, ready, closing, ended
        }

        package var identifier: String
        /// As it calls itself; empty until it is ready.
        package var provider: String
        package var state: State
        /// Why it ended.
        package var reason: String?
        /// Processes so far.
        package var runs: Int
    }

    package var slots: [Slot]
    package var plugins: [Plugin] = []
    /// Host of the ad server; nil without one.
    package var server: String?
    /// What the last ad call came to; nil before the first.
    package var isUp: Bool?
    package var isHidden: Bool
}
