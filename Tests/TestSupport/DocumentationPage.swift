import Foundation

/// Pages of the documentation with which tests compare the program.
package enum DocumentationPage {
    /// The text of `docs/NAME.md`.
    package static func text(_ name: String) throws -> String {
        let file = ConformanceFolder.projectRoot.appendingPathComponent("docs/\(name).md")
        return try String(contentsOf: file, encoding: .utf8)
    }
}
