package import Ports

/// The place of a snapshot in a recording that is played.
package struct ReplayView: Sendable, Equatable {
    /// Uptimes of the first and the last input, on the replay's clock.
    package var span: ClosedRange<Duration>
    /// Recorded time per real time.
    package var speed: Double
    package var isPaused: Bool
    /// Number of inputs applied, and of all.
    package var position: Int
    package var count: Int
    /// What happens in the whole recording, in its order.
    package var marks: [ReplayMark] = []

    package var length: Duration { span.upperBound - span.lowerBound }

    /// Whether nothing comes any more.
    package var isOver: Bool { position >= count }

    /// Whether its clock is stopped, so that nothing on the screen moves.
    package var isStopped: Bool { isPaused || isOver }

    /// Time since the start of the recording.
    package func offset(at now: Moment) -> Duration {
        min(max(.zero, now.uptime - span.lowerBound), length)
    }
}

/// Something that a person looks for in a recording.
package struct ReplayMark: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A break goes on air.
        case adBreak
        /// A beacon has failed for good.
        case failure
    }

    package var kind: Kind
    /// Time since the start of the recording.
    package var offset: Duration

    /// Most marks of a recording that are kept.
    package static let limit = 4_096
}

extension Snapshot {
    /// Where in a recording this is; nil in a session that runs.
    package var replay: ReplayView? {
        get { session.replay }
        set { session.replay = newValue }
    }
}
