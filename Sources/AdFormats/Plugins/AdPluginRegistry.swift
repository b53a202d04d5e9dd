package import Ports

/// The plugins that are part of the program, by identifier (FMT-25).
package struct AdPluginRegistry: Sendable {
    private var types: [any AdPlugin.Type] = []

    package init() {}

    /// With everything that comes with the program.
    package static var builtIn: AdPluginRegistry {
        var registry = AdPluginRegistry()
        for type: any AdPlugin.Type in [
            StaticPlugin.self, AdServerPlugin.self, RecordedPlugin.self, FailingPlugin.self,
        ] {
            registry.register(type)
        }
        return registry
    }

    /// A later one of the same identifier takes the place of an earlier one.
    package mutating func register(_ type: any AdPlugin.Type) {
        types.removeAll { $0.manifest.identifier == type.manifest.identifier }
        types.append(type)
    }

    package var manifests: [PluginManifest] { types.map { $0.manifest } }

    /// Throws `invalidRequest` for an identifier nobody registered, or a configuration that the plugin refuses.
    package func plugin(_ identifier: String, configuration: JSONValue) throws(AdError) -> any AdPlugin {
        guard let type = types.first(where: { $0.manifest.identifier == identifier }) else {
            let known = manifests.map(\.identifier).joined(separator: ", ")
            throw AdError(.invalidRequest, "there is no plugin '\(identifier)'; known are \(known)")
        }
        return try type.init(configuration: type.manifest.configuration(configuration))
    }
}
