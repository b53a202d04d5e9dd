package import Ports

/// One input with the moment it was applied at: what a recording holds, line by line.
package struct RecordedInput: Sendable, Hashable {
    package var input: Input
    package var at: Moment

    package init(input: Input, at: Moment) {
        self.input = input
        self.at = at
    }
}

/// Takes the inputs of a session as they are applied. Must not block: it is called on the session's actor.
package protocol InputRecorder: Sendable {
    func record(_ input: RecordedInput)
    /// Gives why nothing more is recorded, a clause, once that is so; ends with it, or when it is released.
    var failures: AsyncStream<String> { get }
}

/// A whole recording: with it `Replay` makes the session again.
package struct Recording: Sendable, Hashable {
    package var configuration: MonitorConfiguration
    package var inputs: [RecordedInput]
    /// The last line was cut short, as a crash leaves it.
    package var isTruncated = false

    package init(configuration: MonitorConfiguration, inputs: [RecordedInput] = []) {
        self.configuration = configuration
        self.inputs = inputs
    }
}
