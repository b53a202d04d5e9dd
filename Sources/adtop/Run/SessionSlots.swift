import AdFormats
import Foundation
import Live
import Monitoring
import Ports

/// The ad spaces that settings name, and what runs the plugins that fill some of them.
struct SessionSlots {
    /// Nil for none.
    private(set) var configuration: FormatsConfiguration?
    private(set) var plugins: PluginRunner?

    init(_ settings: Settings) throws(CommandFailure) {
        guard settings.adServer != nil || !settings.slots.isEmpty else { return }
        var formats = FormatsConfiguration(adServer: settings.adServer, slots: settings.slots)
        formats.version = Adtop.version
        formats.parameters = settings.adParameters
        formats.refreshFields = settings.refreshHeaders
        let folder = try settings.plugins.map { path throws(CommandFailure) in try PluginFolder(path) }
        var executables: [String: URL] = [:]
        for slot in settings.slots {
            guard let name = slot.plugin else {
                if settings.adServer == nil {
                    throw CommandFailure(.usage, "--slot \(slot.name): give --ad-server, or the plugin as @PLUGIN")
                }
                continue
            }
            let given = try Self.configuration(of: name, settings)
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
        if !executables.isEmpty { plugins = PluginRunner(executables) }
    }

    /// True for a plugin that no slot had before.
    private static func add(
        _ slot: FormatsConfiguration.Slot, _ found: PluginManifest, _ configuration: JSONValue,
        to formats: inout FormatsConfiguration
    ) throws(AdError) -> Bool {
        var manifest = found
        // Where a session's plugins are, is no part of its configuration: a recording could not know either.
        (manifest.executable, manifest.fields) = (nil, [])
        let plugin = SubprocessPlugin(manifest, configuration: found.configuration(configuration))
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
                "no plugin '\(name)' in the folder of --plugins can be run (adtop plugins check), and built in are "
                    + known.joined(separator: ", "))
        }
        let plugin = try AdPluginRegistry.complete.plugin(name, configuration: configuration)
        _ = try plugin.makePresenter(slot: slot.name, format: slot.format)
        let builtIn = FormatsConfiguration.BuiltIn(name, configuration)
        if !formats.builtIn.contains(builtIn) { formats.builtIn.append(builtIn) }
    }

    private static func configuration(of plugin: String, _ settings: Settings) throws(CommandFailure) -> JSONValue {
        guard let path = settings.pluginConfigurations[plugin] else { return .object(JSONObject()) }
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try FileText.read(path, maximumBytes: PluginManifest.maximumBytes)
        } catch {
            throw CommandFailure(.usage, "--plugin-config \(plugin): \(error)")
        }
        guard let value = try? JSONReader.read(bytes), value.objectValue != nil else {
            throw CommandFailure(.usage, "--plugin-config \(plugin): \(path): is no JSON object")
        }
        return value
    }
}
