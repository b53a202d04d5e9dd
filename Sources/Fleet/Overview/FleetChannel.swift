package import Ports

/// A line of a fleet's list.
package struct FleetChannel: Hashable, Sendable {
    package var name: String
    package var url: String
    /// Settings of its sessions by name, as in the list of `adtop monitor`.
    package var options: [String: String]
    package var labels: [String]
    /// Where it has viewers; an empty text is any region.
    package var regions: [String]
    /// Viewers in each region.
    package var viewers: Int

    /// Most viewers of a channel in a region; the schema checks it.
    package static let mostViewers = 1_000

    package init(
        name: String, url: String, options: [String: String] = [:], labels: [String] = [], regions: [String] = [""],
        viewers: Int = 1
    ) {
        self.name = name
        self.url = url
        self.options = options
        self.labels = labels
        self.regions = regions
        self.viewers = viewers
    }

    /// A row of `fleet.channels_add`.
    package var json: JSONValue {
        [
            "name": .string(name), "url": .string(url),
            "options": .object(
                JSONObject(
                    options.sorted { $0.key < $1.key }.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }
                )),
            "labels": .array(labels.map(JSONValue.string)), "regions": .array(regions.map(JSONValue.string)),
            "viewers": .optional(viewers),
        ]
    }
}

/// What adding channels changes in a list.
package struct ListChange: Hashable, Sendable {
    package private(set) var added: [FleetChannel] = []
    package private(set) var changed: [FleetChannel] = []
    /// Channels that are there as they are wanted.
    package private(set) var unchanged = 0

    /// - Parameter known: the list so far.
    package init(adding channels: [FleetChannel], to known: [FleetChannel]) {
        let byName = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
        for channel in channels {
            switch byName[channel.name] {
            case nil: added.append(channel)
            case channel: unchanged += 1
            default: changed.append(channel)
            }
        }
    }

    /// `3 added, 1 changed, 996 as they were`
    package var words: String {
        "\(added.count.grouped) added, \(changed.count.grouped) changed, \(unchanged.grouped) as they were"
    }
}
