import ArgumentParser
import Session

/// The files that a session writes: log, events, recording.
struct SessionFileOptions: ParsableArguments {
    @Option(help: .of(.logFile, "file"), completion: .file())
    var logFile: String?

    @Option(help: .of(.logLevel, "level"), completion: .of(.logLevel))
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "Append one line of JSON for every event; - for stdout (needs --dump).", valueName: "file|-"),
        completion: .files(or: ["-"]))
    var events: String?

    @Option(
        help: ArgumentHelp("Record the session for adtop replay (a folder for adtop monitor).", valueName: "file"),
        completion: .file())
    var record: String?

    @Option(help: "What --record masks: standard (secrets in URLs, headers and bodies) or none.")
    var redact: RecordingRedaction.Setting = .standard

    mutating func validate() throws {
        if record == nil, redact != .standard {
            throw ValidationError("--redact: has an effect only with --record; add it")
        }
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.logFile] = logFile
        settings[.logLevel] = logLevel
        return settings
    }

    /// The file and the redaction of the recording; nil without `--record`.
    var recording: RecordingOrder? { record.map { RecordingOrder(path: $0, redaction: redact) } }
}

/// `--record` and `--redact`.
struct RecordingOrder {
    var path: String
    var redaction: RecordingRedaction.Setting
}

extension RecordingRedaction.Setting: ExpressibleByArgument {}
