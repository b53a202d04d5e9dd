package import Ports

/// One input with the moment at which it was applied: one line of a recording.
package struct RecordedInput: Sendable, Hashable {
    package var input: Input
    package var at: Moment

    package init(input: Input, at: Moment) {
        self.input = input
        self.at = at
    }
}

/// A whole recording; `Replay` reproduces the session from it.
package struct Recording: Sendable, Hashable {
    package var configuration: MonitorConfiguration
    package var inputs: [RecordedInput]
    /// Whether the last line was cut off, as after a crash.
    package var isTruncated = false

    package init(configuration: MonitorConfiguration, inputs: [RecordedInput] = []) {
        self.configuration = configuration
        self.inputs = inputs
    }
}
