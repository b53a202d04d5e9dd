/// A problem in a scenario file, with its position.
package struct ScenarioIssue: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file, or `builtin:<name>` for the embedded ones.
    package var file: String
    /// 1-based line.
    package var line: Int
    /// 1-based column, in Unicode scalars.
    package var column: Int
    /// The problem and the remedy.
    package var message: String

    /// `file:line:column: message`, the form that editors recognise.
    package var description: String { "\(file):\(line):\(column): \(message)" }
}

/// A scenario with the warnings of its file (unknown keys).
package struct LoadedScenario: Sendable, Equatable {
    /// The scenario.
    package var scenario: Scenario
    /// Warnings, those of outer keys first.
    package var warnings: [ScenarioIssue]
}
