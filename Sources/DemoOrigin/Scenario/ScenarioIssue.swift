/// A sentence about a scenario file, with its place.
package struct ScenarioIssue: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file, or `builtin:<name>` for the embedded ones.
    package var file: String
    /// 1-based line.
    package var line: Int
    /// 1-based column, in Unicode scalars.
    package var column: Int
    /// What is wrong and what would be right.
    package var message: String

    /// `file:line:column: message`, the form editors jump to.
    package var description: String { "\(file):\(line):\(column): \(message)" }
}

/// A scenario and what was odd about its file without making it unusable (unknown keys).
package struct LoadedScenario: Sendable, Equatable {
    /// The scenario.
    package var scenario: Scenario
    /// Warnings, those of outer keys first.
    package var warnings: [ScenarioIssue]
}
