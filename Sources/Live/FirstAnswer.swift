import Locks

/// The first of several answers: the work itself, or a clock that does not wait for it any longer.
final class FirstAnswer<Answer: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Answer, Never>)
        case given(Answer)
        case taken
    }

    private let state = Locked(State.open)

    /// Further answers are ignored.
    func give(_ answer: Answer) {
        let waiting = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            switch state {
            case .open: state = .given(answer)
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .given, .taken: break
            }
            return nil
        }
        waiting?.resume(returning: answer)
    }

    /// For one caller.
    var value: Answer {
        get async {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> Answer? in
                    guard case .given(let answer) = state else {
                        state = .awaited(continuation)
                        return nil
                    }
                    state = .taken
                    return answer
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }
}
