package import Ports

/// The built-in plugins, by identifier (FMT-25).
package struct AdPluginRegistry: Sendable {
    private var types: [any AdPlugin.Type] = []

    package init() {}

    /// All built-in plugins.
    package static var builtIn: AdPluginRegistry {
        var registry = AdPluginRegistry()
        for type: any AdPlugin.Type in [
            StaticPlugin.self, AdServerPlugin.self, RecordedPlugin.self, FailingPlugin.self,
        ] {
            registry.register(type)
        }
        return registry
    }

    /// Adds a plugin; it replaces an earlier one with the same identifier.
    package mutating func register(_ type: any AdPlugin.Type) {
        types.removeAll { $0.manifest.identifier == type.manifest.identifier }
        types.append(type)
    }

    package var manifests: [PluginManifest] { types.map { $0.manifest } }

    /// Throws `invalidRequest` for an unknown identifier or a configuration that the plugin rejects.
    package func plugin(_ identifier: String, configuration: JSONValue) throws(AdError) -> any AdPlugin {
        guard let type = types.first(where: { $0.manifest.identifier == identifier }) else {
            let known = manifests.map(\.identifier).joined(separator: ", ")
            throw AdError(.invalidRequest, "unknown plugin '\(identifier)'; use one of \(known)")
        }
        return try type.init(configuration: type.manifest.configuration(configuration))
    }
}
