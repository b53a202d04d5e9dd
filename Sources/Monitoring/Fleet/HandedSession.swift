import Ports

/// What an agent hands on of a viewer's session, `adtop-handover/1`: which one it was, and up to which media date earlier ones reached. A
/// successor opens a new session unless the stream has none of its own; then this says whether FLT-13 holds.
struct HandedSession: Equatable {
    /// Nil where nothing was handed on.
    var session: String?
    /// Nothing due at or before this media date is sent.
    var sendsAfter: UnixTime?

    private static let schema = "adtop-handover/1"

    init(session: String? = nil, sendsAfter: UnixTime? = nil) {
        self.session = session
        self.sendsAfter = sendsAfter
    }

    /// What cannot be read was handed on by nobody: the successor then sends less, not more.
    init(_ bytes: [UInt8]) {
        guard let json = try? JSONReader.read(bytes), json["schema"]?.stringValue == Self.schema else {
            self.init()
            return
        }
        self.init(
            session: json["session"]?.stringValue,
            sendsAfter: json["sendsAfterUs"]?.integerValue.map(UnixTime.init(microseconds:)))
    }

    var bytes: [UInt8] {
        let json: JSONValue = [
            "schema": .string(Self.schema), "session": .optional(session),
            "sendsAfterUs": .optional(sendsAfter?.microseconds),
        ]
        return Array(json.text().utf8)
    }

    /// What the next session of the viewer hands on: the same one goes on; another one sends nothing that the earlier ones reached.
    /// - Parameter newest: the newest media date that was claimed.
    func next(_ session: String, newest: UnixTime?) -> Self {
        guard session != self.session else { return self }
        return Self(session: session, sendsAfter: [sendsAfter, newest].compactMap { $0 }.max())
    }
}
