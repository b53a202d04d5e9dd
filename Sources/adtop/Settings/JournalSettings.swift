import Ports
import Session

/// The journal of sessions and beacons.
struct JournalSettings: Equatable, Sendable {
    var place = StoragePlace.standard
    var age: Duration = .seconds(30 * 86_400)
    /// Largest size in bytes.
    var bytes: Int64 = 512 << 20
    /// What happens when the journal cannot be written.
    var loss = JournalLoss.stop

    /// Whether a journal is kept.
    var isKept: Bool { place != .off }
}

/// What happens when the journal cannot be written.
enum JournalLoss: String, CaseIterable, Sendable {
    /// Nothing more is sent.
    case stop
    /// At-most-once delivery then holds for this process only.
    case send
}

/// The log file.
struct LogSettings: Equatable, Sendable {
    /// Nil writes no log.
    var file: String?
    var level = LogLevel.info

    /// Throws for a level without a file, where only the file has the lines of libraries.
    func rejectLevelAlone(_ flags: [Setting: String]) throws(CommandFailure) {
        guard flags[.logLevel] != nil, file == nil else { return }
        throw CommandFailure(.usage, "--log-level: has an effect only with --log-file; add it")
    }
}

extension SettingSection {
    static let files = SettingSection(
        title: "Journal, log, metrics",
        settings: [
            SettingSpec(
                .journal,
                "record sessions and beacons, so that a restart resumes them: yes, no, or the journal's file",
                default: "yes", \.journal.place,
                .place("file")),
            SettingSpec(
                .journalAge, "delete journal entries older than this", default: "720h", \.journal.age,
                .duration(.seconds(2 * 86_400) ... .seconds(3_650 * 86_400))),
            SettingSpec(
                .journalSize, "largest size of the journal in MiB; the oldest entries are deleted first",
                default: "512",
                \.journal.bytes, .mebibytes),
            SettingSpec(
                .journalLoss,
                "when the journal cannot be written: stop (send nothing more) or send (without a journal)",
                default: "stop", \.journal.loss,
                .name()),
            SettingSpec(.logFile, "file to append the log to", \.log.file, optional: .nonempty),
            SettingSpec(
                .logLevel,
                "lowest level in the log file, and of library messages in the log of one stream: debug, info, warning or error",
                default: "info", \.log.level, .name()),
            SettingSpec(
                .metricsPort, "port on 127.0.0.1 that serves metrics; 0 selects a free port", \.metricsPort,
                optional: .port),
        ])
}
