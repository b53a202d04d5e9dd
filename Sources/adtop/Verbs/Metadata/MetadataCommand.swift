import AdTracking
import ArgumentParser
import Ports
import VAST

/// `adtop metadata parse`
struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata", abstract: "Read saved ad metadata of a provider.",
        discussion: """
            Examples:
              adtop metadata parse answer.json --provider mediatailor
            """,
        subcommands: [Parse.self])

    struct Parse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "parse",
            abstract: "Show the breaks of saved answers, what is wrong with them, and the next request.",
            discussion: """
                Several files are answers of one session in their order: each line shows what an answer added (+), changed (~) and \
                lists no more (-). What it lists no more stays known.

                Examples:
                  adtop metadata parse answer.json --provider mediatailor
                  adtop metadata parse 1.json 2.json 3.json --provider mediatailor --json

                Exit codes: 0 success, 1 findings of severity error, 2 usage error, 3 network error, 4 unreadable input.
                """)

        @Argument(help: "Answers: files, URLs, or - for stdin.", completion: .files("json"))
        var files: [String]

        @Option(
            help: ArgumentHelp("The provider (see adtop providers).", valueName: "name"),
            completion: .list(ProviderTable.readers.map { $0.name }))
        var provider: String

        @Flag(help: "Print JSON (schema adtop-metadata/1).")
        var json = false

        @OptionGroup var fetch: FetchOptions

        func run() async throws {
            guard let type = ProviderTable.readers.first(where: { $0.name == provider }) else {
                let names = ProviderTable.readers.map { $0.name }.joined(separator: ", ")
                throw CommandFailure(.usage, "--provider: '\(provider)' is not one of \(names)")
            }
            var report = MetadataReport(type)
            for file in files {
                let content = try await fetch.input.read(file, limit: Limits.metadataBytes)
                try Self.add(content, of: InputSource.shown(file), type, to: &report)
            }
            if json {
                Output.write(report.json.text(indented: true) + "\n")
            } else {
                report.lines.forEach { Output.line($0) }
                report.findings.forEach { Output.line(Report.finding($0, place: provider)) }
            }
            if report.findings.contains(where: { $0.severity == .error }) { throw ExitStatus.findings.code }
        }

        /// Adds an answer; what another provider reads is not read as this one's.
        private static func add(
            _ content: InputSource.Content, of file: String, _ type: any SavedAnswerReader.Type,
            to report: inout MetadataReport
        ) throws(CommandFailure) {
            let (bytes, charset) = (content.bytes, content.exchange?.charset)
            let answer = Result { () throws(MetadataProblem) in try report.add(bytes, charset: charset, of: file) }
            if case .success(let listed) = answer, !listed.breaks.isEmpty { return }
            let isRead = if case .success = answer { true } else { false }
            let other = ProviderTable.reader(of: bytes, charset: charset, except: type.name, mayBeEmpty: !isRead)
            let advice = other.map { "; --provider \($0.name) reads it" } ?? ""
            switch answer {
            case .failure(let problem):
                throw CommandFailure(.unreadable, "\(file): the body \(problem.explanation)\(advice)")
            case .success where other != nil:
                throw CommandFailure(.unreadable, "\(file): no break of \(type.name)\(advice)")
            case .success: break
            }
        }
    }
}
