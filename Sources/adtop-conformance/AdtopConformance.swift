import ArgumentParser
import Foundation
import Live
import Locks
import Ports
import Screen

/// `adtop-conformance PATH…`: runs vectors of documented schemas against adtop's code.
@main
struct AdtopConformance: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adtop-conformance",
        abstract: "Run folders or files of conformance vectors against adtop's code.",
        discussion: """
            The kind of a file follows from its schema or its documented layout, not from its name. The command \
            prints one line for each difference (file, case, member, expected, got), for each file that has no \
            expected values ("present": manifests, samples) and for each skipped file, then the counts. A JSON file \
            of an unknown schema or layout, an unreadable one, a list without cases, and a playlist or XML document \
            without expected result fail.

            Examples:
              adtop-conformance ../shared/conformance/hls ../shared/conformance/vast
              adtop-conformance playlists/vod-basic.m3u8
              adtop-conformance vectors.json --json
              adtop-conformance conformance --list

            Exit codes: 0 all passed, 1 failures, 2 usage error, 4 a path that cannot be read or has no vectors, 5 output that cannot be written.
            """)

    private enum ExitStatus: Int32 {
        case failures = 1
        case usage = 2
        case unreadable = 4
        case incomplete = 5
    }

    @Argument(help: ArgumentHelp("Folders or files of vectors.", valueName: "path"))
    var paths: [String]

    @Flag(help: "Print JSON (schema adtop-conformance/1).")
    var json = false

    @Flag(help: "List the cases with their kinds without running them.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "Markdown file with the exceptions (default \(Exceptions.defaultFile), if it exists).", valueName: "file"))
    var exceptions: String?

    func run() throws {
        var search = VectorSearch()
        for path in paths { try search.add(path) }
        if list {
            for vector in search.cases { Self.print("\(vector.kind)  \(vector.id)") }
            for file in search.skipped { Self.print("skipped  \(file.file): \(file.reason)") }
        } else {
            let run = ConformanceRun(search, exceptions: try readExceptions())
            if json { Self.write(run.json.text(indented: true) + "\n") } else { run.lines.forEach(Self.print) }
            if run.count(.failed) > 0 { throw ExitCode(ExitStatus.failures.rawValue) }
        }
        if search.cases.isEmpty {
            Self.complain("no vectors in \(paths.joined(separator: ", "))")
            throw ExitCode(ExitStatus.unreadable.rawValue)
        }
    }

    private func readExceptions() throws(FileProblem) -> Exceptions {
        if let exceptions { return try Exceptions(file: exceptions) }
        guard FileManager.default.fileExists(atPath: Exceptions.defaultFile) else { return .none }
        return try Exceptions(file: Exceptions.defaultFile)
    }

    /// Parses and runs; every error becomes one line on stderr and its exit code.
    static func main() {
        StandardStreams.reserve()
        // When the reader of a pipe has gone, the write fails instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        // Likewise beyond the limit of a file's size.
        signal(SIGXFSZ, SIG_IGN)
        let code = status()
        guard let loss = lost.withLock({ $0 }) else { Foundation.exit(code) }
        complain("standard output: \(SystemErrorText.words(loss)); what was printed is incomplete")
        Foundation.exit(ExitStatus.incomplete.rawValue)
    }

    private static func status() -> Int32 {
        do {
            var command = try parseAsRoot()
            try command.run()
            return 0
        } catch let problem as FileProblem {
            complain("\(problem)")
            return ExitStatus.unreadable.rawValue
        } catch let code as ExitCode {
            return code.rawValue
        } catch {
            guard !exitCode(for: error).isSuccess else {
                write(fullMessage(for: error) + "\n")
                return 0
            }
            complain("\(message(for: error)) (see adtop-conformance --help)")
            return ExitStatus.usage.rawValue
        }
    }

    /// Longest line in columns; a vector may contain any text.
    private static let lineColumns = 1_000

    private static func print(_ line: String) {
        write(SafeText(outside: line, columns: lineColumns).string + "\n")
    }

    private static func complain(_ message: String) {
        let line = SafeText(outside: "adtop-conformance: \(message)", columns: lineColumns).string + "\n"
        // There is no other place for what cannot be written here.
        _ = WholeWrite.write(Array(line.utf8), to: STDERR_FILENO, waits: true)
    }

    /// Why standard output could not be written; nil where it could, or where its reader has gone and wants no more.
    private static let lost = Locked<Int32?>(nil)

    private static func write(_ text: String) {
        guard let code = WholeWrite.write(Array(text.utf8), to: STDOUT_FILENO, waits: true), code != EPIPE else {
            return
        }
        lost.withLock { $0 = $0 ?? code }
    }
}
