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
        let folder = try settings.plugins.map { path throws(CommandFailure) in try PluginFolder(path) }
        var executables: [String: URL] = [:]
        for slot in settings.slots {
            guard let name = slot.plugin else {
                if settings.adServer == nil {
                    throw CommandFailure(.usage, "--slot \(slot.name): give --ad-server, or the plugin as @PLUGIN")
                }
                continue
            }
            guard let folder else {
                throw CommandFailure(.usage, "--slot \(slot.name): --plugins says where the plugin '\(name)' is")
            }
            guard let found = folder.plugin(name) else {
                throw CommandFailure(
                    .usage,
                    "--slot \(slot.name): no plugin '\(name)' in \(folder.path) can be run (adtop plugins check)")
            }
            var manifest = found.manifest
            // Where a session's plugins are, is no part of its configuration: a recording could not know either.
            (manifest.executable, manifest.fields) = (nil, [])
            let plugin = SubprocessPlugin(
                manifest, configuration: found.manifest.configuration(try Self.configuration(of: name, settings)))
            do throws(AdError) {
                _ = try plugin.makePresenter(slot: slot.name, format: slot.format)
            } catch {
                throw CommandFailure(.usage, "--slot \(slot.name): \(error.detail)")
            }
            if executables.updateValue(found.executable, forKey: name) == nil { formats.plugins.append(plugin) }
        }
        configuration = formats
        if !executables.isEmpty { plugins = PluginRunner(executables) }
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
