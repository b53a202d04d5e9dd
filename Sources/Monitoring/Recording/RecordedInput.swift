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
}
