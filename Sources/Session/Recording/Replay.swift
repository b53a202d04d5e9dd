import AdTracking
import Algorithms
package import Ports

/// A recorded session at any moment: the inputs pass through the same `apply` as live ones, so it is the same session.
package struct Replay: Sendable {
    /// Number of inputs between two kept states: a step back applies at most this many inputs again.
    private static let stride = 256

    package let recording: Recording
    /// Number of inputs applied.
    package private(set) var position = 0
    private var state: MonitorState
    /// The state before input `index × stride`.
    private var checkpoints: [MonitorState]
    /// What was found in the inputs up to the furthest position so far.
    package private(set) var marks: [ReplayMark] = []
    private var furthest = 0

    package init(_ recording: Recording) {
        self.recording = recording
        state = MonitorState(recording.configuration)
        checkpoints = [state]
    }

    package var count: Int { recording.inputs.count }

    /// Uptimes of the first and last input; nil for an empty recording.
    package var span: ClosedRange<Duration>? {
        guard let first = recording.inputs.first?.at.uptime, let last = recording.inputs.last?.at.uptime, first <= last
        else { return nil }
        return first...last
    }

    /// Moves forwards or back to the state after `target` inputs.
    package mutating func move(to target: Int) {
        let target = min(max(target, 0), count)
        let checkpoint = min(target / Self.stride, checkpoints.count - 1)
        if target < position || checkpoint * Self.stride > position {
            state = checkpoints[checkpoint]
            position = checkpoint * Self.stride
        }
        while position < target {
            let recorded = recording.inputs[position]
            let before = (state.air.current.breakID, lost)
            _ = state.apply(recorded.input, at: recorded.at)
            position += 1
            if position > furthest { mark(recorded.at, since: before) }
            if position.isMultiple(of: Self.stride), position / Self.stride == checkpoints.count {
                checkpoints.append(state)
            }
        }
    }

    /// Beacons that failed, and those of unknown outcome.
    private var lost: Int { state.desk.counters.beaconsFailed + state.desk.counters.beaconsUnknown }

    /// Notes what an input that is applied for the first time has changed.
    private mutating func mark(_ at: Moment, since before: (breakID: BreakID?, lost: Int)) {
        furthest = position
        guard marks.count < ReplayMark.limit, let start = span?.lowerBound else { return }
        let offset = at.uptime - start
        if let breakID = state.air.current.breakID, breakID != before.breakID {
            marks.append(ReplayMark(kind: .adBreak, offset: offset))
        }
        if lost > before.lost {
            marks.append(ReplayMark(kind: .failure, offset: offset))
        }
    }

    /// Moves to the state at that uptime.
    package mutating func move(toUptime uptime: Duration) {
        move(to: recording.inputs.partitioningIndex { $0.at.uptime > uptime })
    }

    /// The snapshot after the last input applied, or at `moment` if that is later.
    package mutating func snapshot(at moment: Moment? = nil) -> Snapshot {
        guard let moment, moment.uptime > self.moment.uptime else { return state.snapshot(at: self.moment) }
        return state.snapshot(at: moment)
    }

    /// The moment of the last input applied, or of the first input.
    package var moment: Moment {
        let last = position > 0 ? recording.inputs[position - 1].at : recording.inputs.first?.at
        return last ?? Moment(wall: UnixTime(microseconds: 0), uptime: .zero)
    }
}

extension Recording {
    /// Both clocks at that uptime; the wall clock continues from the last input before it.
    package func moment(atUptime uptime: Duration) -> Moment {
        let index = max(0, inputs.partitioningIndex { $0.at.uptime > uptime } - 1)
        guard inputs.indices.contains(index) else { return Moment(wall: UnixTime(microseconds: 0), uptime: uptime) }
        let known = inputs[index].at
        return known.advanced(by: uptime - known.uptime)
    }

    /// The uptime at which the wall clock first reached `date`; the last one if it never did.
    package func uptime(atWall date: UnixTime) -> Duration {
        guard let index = inputs.firstIndex(where: { $0.at.wall >= date }) else {
            return inputs.last?.at.uptime ?? .zero
        }
        let known = inputs[index].at
        let before = index > 0 ? inputs[index - 1].at.uptime : known.uptime
        return max(before, known.uptime - (known.wall - date))
    }
}
