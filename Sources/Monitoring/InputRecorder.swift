package import Session

/// Receives the inputs of a session as they are applied. Must not block: it is called on the session's actor.
package protocol InputRecorder: Sendable {
    func record(_ input: RecordedInput)
    /// The session has ended: its last input was recorded.
    func end()
    /// Yields the reason when recording stops, as a clause; finishes then, or when the recorder is released.
    var failures: AsyncStream<String> { get }
}
