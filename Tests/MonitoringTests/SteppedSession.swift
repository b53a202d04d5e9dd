import Monitoring
import Ports

/// A session that a test moves input by input, with no network and no clock of its own.
protocol SteppedSession {
    var state: MonitorState { get set }
    var now: Moment { get set }
    /// What it was told, as a recorder would see it.
    var inputs: [RecordedInput] { get set }
    /// Everything it wanted done so far.
    var effects: [Effect] { get set }
}

extension SteppedSession {
    mutating func apply(_ input: Input) {
        inputs.append(RecordedInput(input: input, at: now))
        effects += state.apply(input, at: now)
    }
}
