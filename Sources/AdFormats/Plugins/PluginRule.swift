import Ports

/// The rules about the manifest of a plugin (FMT-25). The raw value is the rule id in findings.
package enum PluginRule: String, FindingCode {
    case file = "plugin-file"
    case json = "plugin-json"
    case member = "plugin-member"
    case type = "plugin-type"
    case executable = "plugin-executable"
    case protocolVersion = "plugin-protocol"
    case capability = "plugin-capability"
}
