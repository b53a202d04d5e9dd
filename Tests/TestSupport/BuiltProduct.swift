import Foundation

/// Finds the executables that were built together with the running tests.
package enum BuiltProduct {
    /// The executable of that name beside the test bundle.
    package static func path(_ name: String) -> String {
        folder.appendingPathComponent(name).path
    }

    private static var folder: URL {
        if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        return (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    }
}
