import ArgumentParser
import Ports
import VAST

/// `adtop vmap parse`
struct VMAPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vmap", abstract: "Read VMAP documents: the time and the ad source of each break.",
        discussion: """
            Examples:
              adtop vmap parse playlist.xml --duration 00:42:00
            """,
        subcommands: [Parse.self])

    struct Parse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "parse", abstract: "Show the breaks of a VMAP document on the content's timeline.",
            discussion: """
                Breaks at a percentage of the duration, and repeated breaks, have a time only with --duration.

                Examples:
                  adtop vmap parse playlist.xml --duration 00:42:00
                  adtop vmap parse https://ads.example.com/vmap --json

                Exit codes: 0 success, 1 the document is rejected or has findings of severity error, 2 usage error, \
                3 network error, 4 unreadable input.
                """)

        @OptionGroup var document: DocumentOptions

        @Option(help: ArgumentHelp("Duration of the content, such as 00:42:00 or 42m.", valueName: "duration"))
        var duration: String?

        @Flag(help: "Print JSON: outcome, error_code, document, schedule, lint.")
        var json = false

        @OptionGroup var fetch: FetchOptions

        func run() async throws {
            let span = try duration.map { try DurationFlag.position($0, flag: "--duration") }
            let (reading, findings) = try await document.read(from: fetch.input)
            let schedule = reading.vmap.map { VMAPSchedule($0, duration: span?.inMilliseconds) }
            if json {
                var object = reading.json(findings: findings).objectValue ?? JSONObject()
                object.append("schedule", schedule?.json ?? .null)
                Output.write(JSONValue.object(object).text(indented: true) + "\n")
            } else {
                if let vmap = reading.vmap, let schedule {
                    ScheduleReport(document: vmap, schedule: schedule).lines.forEach { Output.line($0) }
                }
                findings.forEach { Output.line(Report.finding($0, place: document.place)) }
            }
            guard reading.vmap != nil || reading.content == nil else {
                throw CommandFailure(.findings, "\(document.place): VAST, not VMAP (see adtop vast parse)")
            }
            if !reading.isGood || findings.contains(where: { $0.severity == .error }) { throw ExitStatus.findings.code }
        }
    }
}

/// A VMAP schedule as text: one line for each stop and one for each of its breaks.
struct ScheduleReport {
    let document: VMAPDocument
    let schedule: VMAPSchedule

    var lines: [String] {
        var lines = ["VMAP \(document.version ?? "without version"), \(document.breaks.count.counted("break"))"]
        for stop in schedule.stops {
            let repetition = stop.occurrence > 0 ? ", repetition \(stop.occurrence)" : ""
            lines.append("\(stop.position.title) \(Self.time(stop))\(repetition)")
            lines += stop.breaks.map { "  \(describe($0))" }
        }
        for opportunity in schedule.byOpportunity {
            lines.append("at opportunity \(opportunity.number)")
            lines.append("  \(describe(opportunity.index))")
        }
        lines += list("without a time (duration unknown)", schedule.unplaced)
        lines += list("with an unusable timeOffset", schedule.invalid)
        let limit = "repeated further than shown (at most \(VMAPSchedule.maximumRepetitions) repetitions in all)"
        return lines + list(limit, schedule.cut)
    }

    private func list(_ title: String, _ breaks: [Int]) -> [String] {
        breaks.isEmpty ? [] : [title] + breaks.map { "  \(document.breaks[$0].timeOffset)  \(describe($0))" }
    }

    private func describe(_ index: Int) -> String {
        let entry = document.breaks[index]
        var parts = [entry.id ?? "without id", entry.types.joined(separator: ","), Self.source(entry.source)]
        if let period = entry.repeatAfterMilliseconds {
            parts.append("repeats after \(Duration.milliseconds(period).text)")
        }
        if !entry.tracking.isEmpty { parts.append("tracks \(entry.tracking.map(\.event).joined(separator: ", "))") }
        return parts.joined(separator: "  ")
    }

    private static func source(_ source: VMAPDocument.Source?) -> String {
        switch source?.content {
        case .vast(let document, _): "\(document.ads.count.counted("ad")) inside"
        case .tag(let link, let type): "tag \(link.url)\(type.map { " (\($0))" } ?? "")"
        case .custom(_, let type): "custom data\(type.map { " (\($0))" } ?? "")"
        case .missing, nil: "no source"
        }
    }

    private static func time(_ stop: VMAPSchedule.Stop) -> String {
        guard let milliseconds = stop.atMilliseconds else { return "at the end" }
        return "at \(Duration.milliseconds(milliseconds).text)"
    }
}

extension VMAPSchedule.Position {
    fileprivate var title: String { "\(rawValue)-roll" }
}
