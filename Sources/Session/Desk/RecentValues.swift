import Ports

/// One value for each of the last steps of uptime; older ones are forgotten.
struct RecentValues<Value: Sendable>: Sendable {
    /// Seconds of a step.
    private let step: Int64
    private let empty: Value
    private var values: [Value]
    /// The step that was changed last.
    private var newest: Int64 = 0

    init(count: Int, seconds step: Int64, empty: Value) {
        self.step = step
        self.empty = empty
        values = Array(repeating: empty, count: count)
    }

    /// Changes the value of the step of `moment`; a time before the newest one counts there.
    mutating func change(at moment: Moment, _ body: (inout Value) -> Void) {
        let now = max(newest, moment.uptime.components.seconds / step)
        for back in 0..<min(now - newest, Int64(values.count)) { values[place(now - back)] = empty }
        newest = now
        body(&values[place(now)])
    }

    /// The values, oldest first, ending with the step of `moment`.
    func view(at moment: Moment) -> [Value] {
        let last = max(newest, moment.uptime.components.seconds / step)
        let first = last - Int64(values.count) + 1
        return (first...last).map {
            $0 < 0 || $0 > newest || $0 <= newest - Int64(values.count) ? empty : values[place($0)]
        }
    }

    private func place(_ step: Int64) -> Int {
        Int(step % Int64(values.count))
    }
}
