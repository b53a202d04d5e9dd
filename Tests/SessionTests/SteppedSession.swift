import Ports
import Session

/// A session that a test drives input by input, without a network or a clock of its own.
protocol SteppedSession {
    var state: MonitorState { get set }
    var now: Moment { get set }
    /// The inputs so far, as a recorder receives them.
    var inputs: [RecordedInput] { get set }
    /// The effects so far.
    var effects: [Effect] { get set }
}

extension SteppedSession {
    mutating func apply(_ input: Input) {
        inputs.append(RecordedInput(input: input, at: now))
        effects += state.apply(input, at: now)
    }
}
