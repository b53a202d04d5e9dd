import ArgumentParser
import Ports
import VAST

/// `adtop vast parse|lint|resolve|expand`
struct VASTCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vast", abstract: "Read VAST documents and follow tags: values, findings and wrapper chains.",
        discussion: """
            Examples:
              adtop vast lint ad.xml
              adtop vast resolve 'https://ads.example.com/tag?cb=[CACHEBUSTING]'
            """,
        subcommands: [Parse.self, Lint.self, VASTResolveCommand.self, VASTExpandCommand.self])

    struct Parse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "parse", abstract: "Parse a VAST or VMAP document.",
            discussion: """
                Examples:
                  adtop vast parse ad.xml
                  adtop vast parse https://ads.example.com/tag --json

                Exit codes: 0 success, 1 the document is rejected or has findings of severity error, 2 usage error, \
                3 network error, 4 unreadable input.
                """)

        @OptionGroup var document: DocumentOptions

        @Flag(help: "Print JSON: outcome, error_code, document, lint.")
        var json = false

        @OptionGroup var fetch: FetchOptions

        func run() async throws {
            let (reading, findings) = try await document.read(from: fetch.input)
            let value = reading.json(findings: findings)
            if json {
                Output.write(value.text(indented: true) + "\n")
            } else {
                Report.tree(value).forEach { Output.line($0) }
            }
            if !reading.isGood || findings.contains(where: { $0.severity == .error }) { throw ExitStatus.findings.code }
        }
    }

    struct Lint: AsyncParsableCommand {
        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text, json, github
        }

        static let configuration = CommandConfiguration(
            commandName: "lint", abstract: "Report the findings of a VAST or VMAP document.",
            discussion: """
                Examples:
                  adtop vast lint ad.xml
                  adtop vast lint ad.xml --format github
                  adtop vast lint https://ads.example.com/tag --fail-on warning
                  adtop vast lint https://ads.example.com/tag --twice

                Exit codes: 0 success, 1 a finding of severity --fail-on or higher, 2 usage error, 3 network error, \
                4 unreadable input.
                """)

        @OptionGroup var document: DocumentOptions

        @Option(help: "Output format; github prints workflow annotations.")
        var format = Format.text

        @Flag(help: "Print JSON (schema adtop-findings/1); the same as --format json.")
        var json = false

        @Option(help: "Lowest severity that makes the command fail.")
        var failOn = Severity.error

        @Flag(help: "Request the URL twice and report whether the answers differ; an ad server counts both requests.")
        var twice = false

        @OptionGroup var fetch: FetchOptions

        mutating func validate() throws {
            if json, format == .github {
                throw ValidationError("--json and --format github exclude each other; give one")
            }
        }

        func run() async throws {
            let (_, findings) = try await document.read(from: fetch.input, twice: twice)
            switch json ? .json : format {
            case .text: findings.forEach { Output.line(Report.finding($0, place: document.place)) }
            case .github: findings.forEach { Output.line(Report.annotation($0, place: document.place)) }
            case .json: Output.write(Report.json(findings).text(indented: true) + "\n")
            }
            if findings.contains(where: { $0.severity >= failOn }) { throw ExitStatus.findings.code }
        }
    }
}

extension Severity: ExpressibleByArgument {}

/// The argument of the VAST tools: the document to read.
struct DocumentOptions: ParsableArguments {
    @Argument(help: "Document: file, URL, or - for stdin.", completion: .files("xml"))
    var place: String

    /// The document with its findings; `twice` requests a URL again and compares.
    func read(from input: InputSource, twice: Bool = false) async throws -> (VASTReading, [Finding]) {
        let content = try await input.read(place, limit: Limits.vastBytes)
        let reading = VASTReader.read(content.bytes, charset: content.exchange?.charset)
        var findings = reading.findings()
        if let exchange = content.exchange {
            findings += ResponseLint.findings(of: exchange, reading: reading)
        } else if twice {
            throw CommandFailure(.usage, "--twice: '\(place)' is not a URL; --twice compares two answers of a server")
        }
        if twice {
            let second = try await input.read(place, limit: Limits.vastBytes)
            findings += ResponseLint.findings(comparing: content.bytes, with: second.bytes)
        }
        return (reading, findings)
    }
}
