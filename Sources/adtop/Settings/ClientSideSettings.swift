/// The ads that the viewer requests itself.
struct ClientSideSettings: Equatable, Sendable {
    /// The VAST tag as given.
    var vast: String?
    /// The VMAP tag as given, or the path of a file.
    var vmap: String?
    /// Values of macros by name.
    var macros: [String: String] = [:]

    /// Whether the ads come from a tag or a schedule.
    var hasSource: Bool { vast != nil || vmap != nil }

    /// Throws if both a VAST tag and a VMAP tag are given.
    func check(_ texts: SettingTexts) throws(CommandFailure) {
        guard vast != nil, vmap != nil else { return }
        let places = [Setting.vast, .vmap].compactMap { texts[$0]?.source.description(of: $0) }
        throw CommandFailure(.usage, "\(places.joined(separator: " and ")) exclude each other; give one")
    }
}

extension SettingSection {
    static let clientSide = SettingSection(
        title: "Ads that the client requests",
        settings: [
            SettingSpec(
                .vast, "VAST tag to request when a break that is marked in the playlist opens", scope: .session,
                \.clientSide.vast,
                optional: .tag),
            SettingSpec(
                .vmap, "VMAP tag or file with the breaks of a finished stream", scope: .session, \.clientSide.vmap,
                optional: .tagOrFile),
            SettingSpec(
                .macro, "values of macros in tags and beacons, one NAME=VALUE on each line", scope: .session,
                list: .lines("NAME=VALUE"),
                \.clientSide.macros, .pairs),
        ])
}
