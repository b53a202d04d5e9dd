import AdTracking
import HLS
import Ports

/// Inputs as JSON.
enum InputJSON {
    static func value(of input: Input) -> JSONValue {
        switch input {
        case .started: ["kind": "started"]
        case .fetched(let id, let exchange):
            ["kind": "fetched", "id": .integer(Int64(id.number)), "exchange": exchange.recorded]
        case .beaconAnswered(let claim, let exchange):
            [
                "kind": "beaconAnswered", "claim": .integer(Int64(claim.number)),
                "exchange": exchange.recorded,
            ]
        case .answerHandled(let purpose, let took):
            [
                "kind": "answerHandled", "purpose": .string(purpose.rawValue),
                "us": .integer(took.inMicroseconds),
            ]
        case .woke: ["kind": "woke"]
        case .journalOpened(let opening): opening.recorded(after: [.init(name: "kind", value: "journalOpened")])
        case .journalFailed(let message, let kind):
            ["kind": "journalFailed", "message": .string(message), "problem": .string(kind.rawValue)]
        case .journalLost(let message): ["kind": "journalLost", "message": .string(message)]
        case .journalFellBehind(let dropped):
            ["kind": "journalFellBehind", "dropped": .integer(Int64(dropped))]
        case .claimsWritten(let claims):
            ["kind": "claimsWritten", "claims": .array(claims.map { .integer(Int64($0.number)) })]
        case .claimsRefused(let refused):
            [
                "kind": "claimsRefused",
                "claims": .array(
                    refused.map {
                        ["claim": .integer(Int64($0.id.number)), "why": .string($0.refusal.rawValue)]
                    }),
            ]
        case .userActed(let action): ["kind": "userActed", "action": .string(action.rawValue)]
        case .toggled(let toggle): ["kind": "toggled", "toggle": .string(toggle.rawValue)]
        case .playerCommanded(let command): ["kind": "playerCommanded", "command": value(of: command)]
        case .modeChosen(let mode): ["kind": "modeChosen", "mode": .string(mode.rawValue)]
        case .variantChosen(let wish): ["kind": "variantChosen", "variant": wish.recorded]
        case .retryAsked(let target): ["kind": "retryAsked", "target": value(of: target)]
        case .logCleared: ["kind": "logCleared"]
        case .libraryLogged(let level, let message):
            ["kind": "libraryLogged", "level": .string(level.rawValue), "message": .string(message)]
        case .recordingFailed(let message): ["kind": "recordingFailed", "message": .string(message)]
        case .beside(let input): BesideJSON.value(of: input)
        case .stopped: ["kind": "stopped"]
        }
    }

    static func input(from fields: Fields) throws(RecordingFormat.Problem) -> Input {
        switch try fields.string("kind") {
        case "started": return .started
        case "fetched":
            return .fetched(RequestID(try fields.int("id")), try .member("exchange", of: fields))
        case "beaconAnswered":
            return .beaconAnswered(
                ClaimID(try fields.int("claim")), try .member("exchange", of: fields))
        case "woke": return .woke
        case "journalOpened": return .journalOpened(try JournalOpening.blank.reading(fields))
        case "journalFailed":
            // Recordings of 0.1 have no kind.
            let kind = fields.has("problem") ? try fields.choice("problem", of: JournalProblem.Kind.self) : .cannotWrite
            return .journalFailed(try fields.string("message"), kind: kind)
        case "journalLost": return .journalLost(try fields.string("message"))
        case "answerHandled":
            guard let purpose = FetchPurpose(rawValue: try fields.string("purpose")) else {
                throw .init("has the unknown purpose '\(try fields.string("purpose"))'")
            }
            return .answerHandled(purpose, took: .microseconds(try fields.integer("us")))
        case "journalFellBehind": return .journalFellBehind(dropped: try fields.int("dropped"))
        case "claimsWritten":
            return .claimsWritten(try fields.array("claims").compactMap { $0.integerValue.map { ClaimID(Int($0)) } })
        case "claimsRefused": return .claimsRefused(try fields.array("claims").map(refused))
        case "userActed": return .userActed(try fields.choice("action", of: UserAction.self))
        case "toggled": return .toggled(try fields.choice("toggle", of: PlayerToggle.self))
        case "playerCommanded": return .playerCommanded(try command(from: fields.object("command")))
        case "modeChosen": return .modeChosen(try fields.choice("mode", of: ReportingMode.self))
        case "variantChosen": return .variantChosen(try .member("variant", of: fields))
        case "retryAsked": return .retryAsked(try target(from: fields.object("target")))
        case "logCleared": return .logCleared
        case "libraryLogged":
            return .libraryLogged(try fields.choice("level", of: LogLevel.self), try fields.string("message"))
        case "recordingFailed": return .recordingFailed(try fields.string("message"))
        case "stopped": return .stopped
        case let other:
            guard let input = try BesideJSON.input(other, from: fields) else {
                throw .init("has the unknown input '\(other)'")
            }
            return .beside(input)
        }
    }

    private static func refused(_ json: JSONValue) throws(RecordingFormat.Problem) -> RefusedClaim {
        let fields = try Fields(json)
        return RefusedClaim(
            id: ClaimID(try fields.int("claim")), refusal: try fields.choice("why", of: ClaimRefusal.self))
    }

    private static func value(of command: PlayerCommand) -> JSONValue {
        switch command {
        case .play: ["kind": "play"]
        case .pause: ["kind": "pause"]
        case .seek(.live): ["kind": "seekLive"]
        case .seek(.by(let span)): ["kind": "seekBy", "us": .integer(span.inMicroseconds)]
        case .seek(.date(let date)): ["kind": "seekDate", "us": .integer(date.microseconds)]
        case .setRate(let rate): ["kind": "setRate", "rate": .double(rate)]
        }
    }

    private static func command(from fields: Fields) throws(RecordingFormat.Problem) -> PlayerCommand {
        switch try fields.string("kind") {
        case "play": return .play
        case "pause": return .pause
        case "seekLive": return .seek(.live)
        case "seekBy": return .seek(.by(.microseconds(try fields.integer("us"))))
        case "seekDate": return .seek(.date(UnixTime(microseconds: try fields.integer("us"))))
        case "setRate": return .setRate(try .member("rate", of: fields))
        case let other: throw .init("has the unknown player command '\(other)'")
        }
    }

    private static func value(of target: RetryTarget) -> JSONValue {
        switch target {
        case .opening: ["kind": "opening"]
        case .allFailed: ["kind": "allFailed"]
        case .event(let id): ["kind": "event", "id": .string(id)]
        case .url(let id): ["kind": "url", "id": .string(id)]
        }
    }

    private static func target(from fields: Fields) throws(RecordingFormat.Problem) -> RetryTarget {
        switch try fields.string("kind") {
        case "opening": return .opening
        case "allFailed": return .allFailed
        case "event": return .event(try fields.string("id"))
        case "url": return .url(try fields.string("id"))
        case let other: throw .init("has the unknown retry target '\(other)'")
        }
    }
}
