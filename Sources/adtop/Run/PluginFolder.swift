import AdFormats
import Foundation
import Live
import Ports
import Session

/// The manifests of a folder, and whether their executables can be run.
struct PluginFolder {
    /// Most manifests that are read from a folder.
    static let maximumPlugins = 256

    /// One manifest file.
    struct Entry {
        /// Name in the folder.
        var file: String
        /// Nil when the manifest cannot be used.
        var manifest: PluginManifest?
        var findings: [Finding]
        /// The executable of a usable manifest.
        var executable: URL?
    }

    let path: String
    let entries: [Entry]

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw CommandFailure(.unreadable, "\(path): no such plugin folder")
        }
        var entries: [Entry] = []
        for name in names.sorted().filter({ $0.hasSuffix(".json") }).prefix(Self.maximumPlugins) {
            entries.append(try Self.entry(name, in: URL(fileURLWithPath: path, isDirectory: true)))
        }
        self.entries = entries
    }

    private static func entry(_ name: String, in folder: URL) throws(CommandFailure) -> Entry {
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try FileText.read(
                folder.appendingPathComponent(name).path, maximumBytes: PluginManifest.maximumBytes)
        } catch {
            return Entry(
                file: name, manifest: nil,
                findings: [Finding(rule: PluginRule.file, severity: .error, message: "\(error)")], executable: nil)
        }
        let reading = PluginManifestReading(bytes)
        var entry = Entry(file: name, manifest: reading.manifest, findings: reading.findings, executable: nil)
        guard let executable = reading.manifest?.executable else { return entry }
        let url = folder.appendingPathComponent(executable).standardizedFileURL
        if FileManager.default.isExecutableFile(atPath: url.path) {
            entry.executable = url
        } else {
            let exists = FileManager.default.fileExists(atPath: url.path)
            let message =
                exists ? "'\(executable)' is not executable." : "The executable '\(executable)' is not in the folder."
            entry.findings.append(
                Finding(rule: PluginRule.executable, severity: .error, message: message, path: "api.executable"))
        }
        return entry
    }

    /// The plugin of that identifier with its executable.
    func plugin(_ identifier: String) -> (manifest: PluginManifest, executable: URL)? {
        for entry in entries {
            if let manifest = entry.manifest, manifest.identifier == identifier, let executable = entry.executable {
                return (manifest, executable)
            }
        }
        return nil
    }

    /// Why there is no plugin of that identifier, and what there is. A manifest that cannot be used may have no identifier, so all of
    /// them are named, at most three.
    func lack(of identifier: String) -> String {
        let usable = entries.compactMap { $0.executable == nil ? nil : $0.manifest?.identifier }
        let unusable = entries.filter { $0.executable == nil }.prefix(3).map { entry in
            let finding = entry.findings.first { $0.severity == .error } ?? entry.findings.first
            let message = finding?.message ?? "has no executable"
            return "; \(entry.file): \(message.hasSuffix(".") ? String(message.dropLast()) : message)"
        }
        let known = (usable + AdPluginRegistry.complete.manifests.map(\.identifier)).joined(separator: ", ")
        return "no usable plugin '\(identifier)' in \(path)\(unusable.joined()); use one of \(known)"
    }

    /// The configuration that `--plugin-config PLUGIN=FILE` gives for a plugin; an empty object without one.
    static func configuration(of plugin: String, _ files: [String: String]) throws(CommandFailure) -> JSONValue {
        guard let path = files[plugin] else { return .object(JSONObject()) }
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try FileText.read(path, maximumBytes: PluginManifest.maximumBytes)
        } catch {
            throw CommandFailure(.usage, "--plugin-config \(plugin): \(error)")
        }
        guard let value = try? JSONReader.read(bytes), value.objectValue != nil else {
            throw CommandFailure(.usage, "--plugin-config \(plugin): \(path): not a JSON object")
        }
        return value
    }
}

extension SubprocessPlugin {
    /// A session's configuration does not contain the place of its plugins, because a recording could not know it
    /// either.
    init(ofSession found: PluginManifest, configuration: JSONValue) {
        var manifest = found
        (manifest.executable, manifest.fields) = (nil, [])
        self.init(manifest, configuration: found.configuration(configuration))
    }
}
