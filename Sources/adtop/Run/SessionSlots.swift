import AdFormats
import Bidding
import CreativeServer
import Foundation
import Live
import Ports
import Session

/// The ad spaces of the settings, and the runner of the plugins that fill ad spaces or bid in the auction.
struct SessionSlots {
    /// Nil when the settings have no ad space.
    private(set) var configuration: FormatsConfiguration?
    private(set) var plugins: PluginRunner?

    /// Reads the ad spaces and adds its plugins to the auction.
    init(_ settings: AdSpaceSettings, auction: inout AuctionSetup?) throws(CommandFailure) {
        let folder = try settings.plugins.map { path throws(CommandFailure) in try PluginFolder(path) }
        var executables: [String: URL] = [:]
        try readSlots(settings, folder, &executables)
        let bidders = auction?.plan.plugins ?? []
        if !bidders.isEmpty {
            let found = try PluginBidders.find(bidders, in: folder, settings.pluginConfigurations)
            auction?.plugins = found.plugins
            executables.merge(found.executables) { $1 }
        }
        if !executables.isEmpty { plugins = PluginRunner(executables) }
    }

    /// The store of rewarded zones; nil when the session has none, zones are disabled, or there is no folder. A session
    /// without a journal uses only a folder that the settings name.
    func zoneStore(_ settings: AdSpaceSettings, remembers: Bool) throws(CommandFailure) -> ZoneStore? {
        guard settings.zones != .off, remembers || settings.zones.path != nil,
            configuration?.slots.contains(where: { $0.format == .rewarded }) == true
        else { return nil }
        return try ZoneFolderOptions.store(in: settings.zones.path, quota: settings.zoneBytes)
    }

    private mutating func readSlots(
        _ settings: AdSpaceSettings, _ folder: PluginFolder?, _ executables: inout [String: URL]
    ) throws(CommandFailure) {
        guard settings.adServer != nil || !settings.slots.isEmpty else { return }
        var formats = FormatsConfiguration(adServer: settings.adServer, slots: settings.slots)
        formats.version = Version.current
        formats.device = settings.device
        formats.parameters = settings.adParameters
        formats.refreshFields = settings.refreshHeaders
        formats.rules = settings.viewing
        for slot in settings.slots {
            guard let name = slot.plugin else {
                if settings.adServer == nil {
                    throw CommandFailure(
                        .usage, "--slot \(slot.name): no ad server; give --ad-server, or a plugin as @PLUGIN")
                }
                continue
            }
            let given = try PluginFolder.configuration(of: name, settings.pluginConfigurations)
            do throws(AdError) {
                if let found = folder?.plugin(name) {
                    if try Self.add(slot, found.manifest, given, to: &formats) { executables[name] = found.executable }
                } else {
                    try Self.add(slot, builtIn: name, given, to: &formats)
                }
            } catch {
                throw CommandFailure(.usage, "--slot \(slot.name): \(error.detail)")
            }
        }
        configuration = formats
    }

    /// Adds the slot's plugin; true if no earlier slot uses it.
    private static func add(
        _ slot: FormatsConfiguration.Slot, _ found: PluginManifest, _ configuration: JSONValue,
        to formats: inout FormatsConfiguration
    ) throws(AdError) -> Bool {
        let plugin = SubprocessPlugin(ofSession: found, configuration: configuration)
        _ = try plugin.makePresenter(slot: slot.name, format: slot.format)
        guard !formats.plugins.contains(plugin) else { return false }
        formats.plugins.append(plugin)
        return true
    }

    private static func add(
        _ slot: FormatsConfiguration.Slot, builtIn name: String, _ configuration: JSONValue,
        to formats: inout FormatsConfiguration
    ) throws(AdError) {
        let known = AdPluginRegistry.complete.manifests.map(\.identifier)
        guard known.contains(name) else {
            throw AdError(
                .invalidRequest,
                "no usable plugin '\(name)' in the folder of --plugins (adtop plugins check); built-in plugins: "
                    + known.joined(separator: ", "))
        }
        let plugin = try AdPluginRegistry.complete.plugin(name, configuration: configuration)
        _ = try plugin.makePresenter(slot: slot.name, format: slot.format)
        let builtIn = FormatsConfiguration.BuiltIn(name, configuration)
        if !formats.builtIn.contains(builtIn) { formats.builtIn.append(builtIn) }
    }
}
