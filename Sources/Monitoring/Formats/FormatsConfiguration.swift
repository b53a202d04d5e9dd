package import AdFormats
package import Ports

/// The ad spaces a session fills beside the stream, from the zones of one ad server.
package struct FormatsConfiguration: Sendable, Hashable {
    /// One ad space.
    package struct Slot: Sendable, Hashable {
        package var name: String
        package var unit: String
        package var format: AdFormat
        package var sizeName: String?

        package init(name: String, unit: String, format: AdFormat, sizeName: String? = nil) {
            self.name = name
            self.unit = unit
            self.format = format
            self.sizeName = sizeName
        }
    }

    /// Ad spaces of one session.
    package static let maximumSlots = 32

    package var adServer: WebURL
    package var slots: [Slot]
    package var device = DeviceProfile.Kind.phone
    /// Said in ad calls.
    package var version = "dev"

    package init(adServer: WebURL, slots: [Slot]) {
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

    package var slots: [Slot]
    /// Host of the ad server.
    package var server: String
    /// What the last ad call came to; nil before the first.
    package var isUp: Bool?
    package var isHidden: Bool
}
