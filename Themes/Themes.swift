/// The themes that come with the program, embedded so that it runs from a single file.
package enum BuiltInTheme: String, CaseIterable, Sendable {
    case `default`, midnight, paper, highContrast = "high-contrast", mono, colorblind

    /// The YAML text of `NAME.yaml` beside this file.
    package var text: String {
        let bytes =
            switch self {
            case .default: PackageResources.default_yaml
            case .midnight: PackageResources.midnight_yaml
            case .paper: PackageResources.paper_yaml
            case .highContrast: PackageResources.high_contrast_yaml
            case .mono: PackageResources.mono_yaml
            case .colorblind: PackageResources.colorblind_yaml
            }
        return String(decoding: bytes, as: UTF8.self)
    }
}
