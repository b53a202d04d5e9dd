import AdFormats
import CreativeCache
import Ports
import Session

/// The ad spaces beside the stream, the plugins that fill them, and rewarded zones.
struct AdSpaceSettings: Equatable, Sendable {
    var adServers: [AdServerEnvironment: WebURL] = [:]
    var environment = AdServerEnvironment.production
    var slots: [FormatsConfiguration.Slot] = []
    /// Folder of plugin manifests; nil runs no plugin.
    var plugins: String?
    /// JSON files by plugin.
    var pluginConfigurations: [String: String] = [:]
    /// The device that ad calls name.
    var device = DeviceProfile.Kind.phone
    /// Parameters of ad calls, by key.
    var adParameters: [AdConfig.Parameter] = []
    /// Header fields that hold a refresh rate; empty selects the standard ones.
    var refreshHeaders: [String] = []
    var viewing = ViewingRules()
    /// The program that opens click destinations; nil opens nothing.
    var openCommand: String?
    /// Where rewarded zones are kept after the session.
    var zones = StoragePlace.standard
    /// Largest size of the zones' videos in bytes.
    var zoneBytes = ZonePlan.defaultQuota

    /// The ad server of the environment, if any.
    var adServer: WebURL? {
        get { adServers[environment] }
        set { adServers[environment] = newValue }
    }

    /// Throws if the only ad server is that of another environment.
    func check() throws(CommandFailure) {
        guard adServer == nil, let other = adServers.first?.key else { return }
        throw CommandFailure(
            .usage,
            "env: no \(environment.rawValue) address of an ad server, only the \(other.rawValue) address is given")
    }
}

extension SettingSection {
    static let adSpaces = SettingSection(
        title: "Ad spaces and plugins",
        settings: [
            SettingSpec(
                .adServer, "ad server with zones, for ad spaces (setting slot)", scope: .session,
                \.adSpaces.adServers[.production],
                optional: SettingType(read: SlotText.address)),
            SettingSpec(
                .adServerDevelopment, "development address of the ad server, used with env development",
                scope: .session,
                \.adSpaces.adServers[.development], optional: SettingType(read: SlotText.address)),
            SettingSpec(
                .environment, "address of the ad server to use: production or development", default: "production",
                scope: .session,
                \.adSpaces.environment, .name()),
            SettingSpec(
                .slot, "ad spaces, one NAME=TYPE:ZONE[:SIZE][@PLUGIN] on each line", scope: .session,
                list: .lines("NAME=TYPE:ZONE"), \.adSpaces.slots,
                SettingType(read: SlotText.slots)),
            SettingSpec(
                .plugins, "folder of plugin manifests", scope: .session, \.adSpaces.plugins, optional: .nonempty),
            SettingSpec(
                .pluginConfig, "JSON configuration of plugins, one PLUGIN=FILE on each line", scope: .session,
                list: .lines("PLUGIN=FILE"),
                \.adSpaces.pluginConfigurations, .pairs),
            SettingSpec(
                .profile,
                "device to send in ad calls (screen and banner size): phone, tablet, tv or terminal",
                default: DeviceProfile.Kind.phone.rawValue, scope: .session, \.adSpaces.device,
                .name()),
            SettingSpec(
                .adParameter, "parameters of ad calls, one KEY=VALUE on each line: o=l, conn=wifi, did=tablet, …",
                scope: .session, list: .lines("KEY=VALUE"), \.adSpaces.adParameters, .adParameters),
            SettingSpec(
                .refreshHeader, "comma-separated header fields that hold a banner's refresh rate", scope: .session,
                list: .commas("a field name"),
                \.adSpaces.refreshHeaders, .list),
            SettingSpec(
                .refreshClamp, "limits of a banner's refresh rate in seconds, LEAST,MOST",
                default: ViewingRules().texts[0], scope: .session
            ) { settings, text throws(SettingProblem) in
                try settings.adSpaces.viewing.set(text) { rules, text throws(ViewingRules.Problem) in
                    try rules.setRefresh(text)
                }
            },
            SettingSpec(
                .impression, "visible share that counts as an impression", default: ViewingRules().texts[1],
                scope: .session
            ) { settings, text throws(SettingProblem) in
                try settings.adSpaces.viewing.set(text) { rules, text throws(ViewingRules.Problem) in
                    try rules.setImpression(text)
                }
            },
            SettingSpec(
                .viewability,
                "milliseconds between visibility samples, and until a display ad and a video are viewable",
                default: ViewingRules().texts[2], scope: .session
            ) { settings, text throws(SettingProblem) in
                try settings.adSpaces.viewing.set(text) { rules, text throws(ViewingRules.Problem) in
                    try rules.setViewability(text)
                }
            },
            SettingSpec(
                .openCommand, "program that opens the click destination of an ad", scope: .session,
                \.adSpaces.openCommand,
                optional: .program),
            SettingSpec(
                .zones, "keep rewarded zones on disk for an hour: yes, no, or the folder", default: "yes",
                \.adSpaces.zones,
                .place("folder")),
            SettingSpec(
                .zonesSize, "largest size of the zones' videos in MiB; the least recently used are deleted first",
                default: "512",
                \.adSpaces.zoneBytes, .mebibytes),
        ])
}

extension ViewingRules {
    /// Reads one of the rules.
    fileprivate mutating func set(
        _ text: String, _ read: (inout ViewingRules, String) throws(ViewingRules.Problem) -> Void
    ) throws(SettingProblem) {
        do throws(ViewingRules.Problem) {
            try read(&self, text)
        } catch {
            throw SettingProblem(error.explanation)
        }
    }
}
