import OrderedCollections
import Ports

/// Writes a session's inputs as lines of a recording: each body separately and once, secrets replaced.
package struct RecordingWriter: Sendable {
    private var redaction: RecordingRedaction?
    private var bodies = BodyWindow<[UInt8], Int>()
    private var nextBody = 1

    package init(redaction setting: RecordingRedaction.Setting = .standard) {
        redaction = setting == .standard ? RecordingRedaction() : nil
    }

    /// The first line.
    package mutating func header(_ configuration: MonitorConfiguration) -> String {
        text(RecordingFormat.header(configuration, redaction == nil ? .none : .standard))
    }

    /// The lines of one input: its body, if it is new, and the input.
    package mutating func lines(for recorded: RecordedInput) -> [String] {
        guard let body = recorded.input.exchange?.body, !body.isEmpty else {
            return [text(RecordingFormat.value(of: recorded))]
        }
        var bare = recorded
        bare.input.exchange?.body = []
        var lines: [String] = []
        let number: Int
        if let known = bodies[body] {
            number = known
        } else {
            number = nextBody
            nextBody += 1
            bodies.insert(number, for: body)
            let kept = RecordedBody(bytes: redaction?.bytes(body) ?? body)
            lines.append(kept.recorded(after: [.init(name: "bodyId", value: number.recorded)]).text())
        }
        lines.append(text(RecordingFormat.value(of: bare, body: number)))
        return lines
    }

    private mutating func text(_ value: JSONValue) -> String {
        (redaction?.value(value) ?? value).text()
    }
}

/// The newest few values by key. Writer and reader drop values in the same order, so neither grows.
struct BodyWindow<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Maximum distance of a reference, in bodies.
    static var capacity: Int { 64 }

    /// In the order of their first insertion.
    private var values: OrderedDictionary<Key, Value> = [:]

    subscript(key: Key) -> Value? { values[key] }

    mutating func insert(_ value: Value, for key: Key) {
        values[key] = value
        if values.count > Self.capacity { values.removeFirst() }
    }
}

/// A body, which is a line of its own.
struct RecordedBody: RecordedMembers {
    var bytes: [UInt8] = []

    mutating func code(_ members: inout MemberCoder) {
        members.code(text: "text", hex: "hex", &bytes)
    }
}

extension Input {
    /// The answer in the input, if the input has one.
    var exchange: HTTPExchange? {
        get {
            switch self {
            case .fetched(_, let exchange), .beaconAnswered(_, let exchange): exchange
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .fetched(let id, _): self = .fetched(id, newValue)
            case .beaconAnswered(let claim, _): self = .beaconAnswered(claim, newValue)
            default: break
            }
        }
    }
}
