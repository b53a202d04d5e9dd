import Fleet
import Ports

/// Calls that one statement carries and whose answer is that they are done.
enum StoreWriting {
    /// How sessions are saved.
    struct SessionForm {
        var version: Int
        var isSealed: Bool
    }

    /// Statement and parameters of such a call; nil for another one.
    /// - Parameter now: by the clock of the agent.
    static func statement(
        _ call: StoreCall, at now: Duration, sessions form: SessionForm
    ) -> (String, [PostgresParameter])? {
        switch call {
        case .outcomes(let claims):
            return ("SELECT fleet.outcomes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", outcomes(claims))
        case .give(let agent, let viewers):
            return ("SELECT fleet.viewers_give($1, $2, $3)", [.integer(agent)] + columns(viewers))
        case .playheads(let agent, let heads, let number):
            let ids = heads.keys.sorted { $0.viewer < $1.viewer }
            let readings = ids.compactMap { heads[$0] }
            return (
                "SELECT fleet.playheads_save_2($1, $2, $3, $4, $5, $6, $7)",
                [.integer(agent)] + columns(ids) + [
                    .array(readings.map { .time(date($0.media)) }),
                    .array(readings.map { .integer(max(0, milliseconds(now - $0.readAt))) }),
                    .array(readings.map { .number($0.rate) }), .integer(number),
                ]
            )
        case .sessions(let agent, let states, let number):
            let ids = states.keys.sorted { $0.viewer < $1.viewer }
            return (
                "SELECT fleet.sessions_save_2($1, $2, $3, $4, $5, $6, $7)",
                [.integer(agent)] + columns(ids) + [
                    .integer(form.version), .flag(form.isSealed), .array(ids.map { .bytes(states[$0] ?? []) }),
                    .integer(number),
                ]
            )
        case .health(let agent, let rows):
            return ("SELECT fleet.health_save($1, $2)", [.integer(agent), .json(.array(rows.map(health)))])
        case .notes(let agent, let rows):
            return ("SELECT fleet.notes_add($1, $2)", [.integer(agent), .json(.array(rows.map(note)))])
        case .picture(let agent, let viewer, let text):
            return (
                "SELECT fleet.picture_save($1, $2, $3)", [.integer(agent), .integer(viewer), .text(text)]
            )
        case .end(let agent): return ("SELECT fleet.agent_end($1)", [.integer(agent)])
        case .keepUp: return ("SELECT fleet.keep_up()", [])
        case .start, .beat, .take, .claims, .owned, .claim, .unsent, .channels: return nil
        }
    }

    static func date(_ time: Duration) -> UnixTime { UnixTime(microseconds: time.inMicroseconds) }
    static func milliseconds(_ span: Duration) -> Int64 { Int64(Int32(clamping: span.inMilliseconds)) }

    static func bytes(_ beacon: BeaconID) -> [UInt8] {
        [beacon.high, beacon.low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }

    static func hex(_ beacon: BeaconID) -> String { beacon.high.hexadecimal + beacon.low.hexadecimal }

    private static func columns(_ viewers: [ViewerEpoch]) -> [PostgresParameter] {
        [.array(viewers.map { .integer($0.viewer) }), .array(viewers.map { .integer($0.epoch) })]
    }

    private static func outcomes(_ claims: [StoredClaim]) -> [PostgresParameter] {
        func column(_ value: (StoredClaim) -> PostgresParameter) -> PostgresParameter { .array(claims.map(value)) }
        return [
            column { .integer($0.request.key.viewer) }, column { .integer($0.request.epoch) },
            column { .integer($0.request.number) }, column { .time(date($0.request.key.due)) },
            column { .identity(bytes($0.request.key.beacon)) }, column { .integer($0.request.key.round) },
            column { .integer($0.request.key.attempt) }, column { .text(letter($0.outcome)) },
            column { .optional($0.status) }, column { .optional($0.took.map(milliseconds)) },
        ]
    }

    static func letter(_ outcome: ClaimOutcome?) -> String {
        switch outcome {
        case .acknowledged: "a"
        case .rejected: "r"
        case .failed: "f"
        case .skipped: "s"
        case .unknown, nil: "u"
        }
    }

    private static func note(_ row: NoteRow) -> JSONValue {
        [
            "at": .string(PostgresParameter.timestamp(date(row.at))), "viewer": .integer(Int64(row.viewer)),
            "kind": .string(row.kind), "level": .optional(row.level), "rule": .optional(row.rule),
            "words": .string(row.words),
        ]
    }

    private static func health(_ row: ViewerHealth) -> JSONValue {
        [
            "viewer": .integer(Int64(row.viewer)), "phase": .string(row.phase), "problem": .optional(row.problem),
            "due": .integer(Int64(row.due)), "sent": .integer(Int64(row.sent)),
            "acknowledged": .integer(Int64(row.acknowledged)), "failed": .integer(Int64(row.failed)),
            "unknown": .integer(Int64(row.unknown)), "worst_late_ms": .optional(row.worstLate.map(milliseconds)),
            "poll_age_ms": .optional(row.pollAge.map(milliseconds)), "provider": .optional(row.provider),
            "service_mode": .optional(row.serviceMode),
        ]
    }
}
