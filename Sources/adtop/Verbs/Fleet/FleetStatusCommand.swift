import ArgumentParser
import Fleet
import Live
import Ports

/// `adtop fleet status`
struct FleetStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Report whether the fleet is well: agents, viewers, store and problems.",
        discussion: """
            --wait repeats it until there is no problem, or until the span is over; then the last answer counts.

            Examples:
              adtop fleet status
              adtop fleet status --wait 60s
              adtop fleet status --json

            Exit codes: 0 no problem, 1 problems of severity warning or error, 2 usage error, 3 store not reached or no \
            rights, 4 no fleet or another server, 5 interrupted.
            """)

    @Flag(help: "Print JSON (schema adtop-fleet-status/1).") var json = false

    @Option(help: ArgumentHelp("Repeat until there is no problem, at most for this time.", valueName: "duration"))
    var wait: String?

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let span = try readWait() ?? .zero
        let address = try await withStoreProblems { () async throws(StoreProblem) in try store.address() }
        let look = FleetLook(address: address, end: .now + span)
        let signals = StopSignals.stream()
        let result = await withTaskGroup(of: FleetLook.Answer?.self) { group in
            group.addTask {
                for await _ in signals { break }
                return nil
            }
            group.addTask { await look.answer() }
            let first = await group.next()
            group.cancelAll()
            return first.flatMap(\.self)
        }
        guard let result else { throw ExitStatus.interrupted.code }
        let overview: FleetOverview
        do throws(StoreProblem) {
            overview = try result.get()
        } catch {
            throw CommandFailure(error)
        }
        if json {
            Output.write(overview.json.text(indented: true) + "\n")
        } else {
            for line in FleetStatusText.lines(overview) { Output.line(line) }
        }
        if overview.exitCode != 0 { throw ExitStatus.findings.code }
    }

    private func readWait() throws(CommandFailure) -> Duration? {
        guard let wait else { return nil }
        do throws(Duration.TextProblem) {
            let span = try Duration(text: wait)
            guard span >= .zero else { throw Duration.TextProblem(explanation: "is negative") }
            return span
        } catch {
            throw CommandFailure(.usage, "--wait: '\(wait)' \(error.explanation)")
        }
    }
}

/// Looks at a fleet until it is well.
private struct FleetLook: Sendable {
    typealias Answer = Result<FleetOverview, StoreProblem>

    /// Time between two looks.
    private static let interval = Duration.seconds(1)

    var address: PostgresAddress
    var end: ContinuousClock.Instant

    /// The first answer without a problem, or the last one.
    func answer() async -> Answer {
        while true {
            let answer = await look()
            if case .success(let overview) = answer, overview.exitCode == 0 { return answer }
            guard ContinuousClock.now < end, !Task.isCancelled else { return answer }
            // A cancelled wait ends above.
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func look() async -> Answer {
        let register = FleetRegister(address, for: .read)
        // A store that does not answer must not hold an interrupt up.
        return await withTaskCancellationHandler {
            await look(at: register)
        } onCancel: {
            register.drop()
        }
    }

    private func look(at register: FleetRegister) async -> Answer {
        do throws(StoreProblem) {
            try await register.open()
            return .success(try await register.overview(by: SystemTimeSource()))
        } catch {
            return .failure(error)
        }
    }
}

/// A fleet's status for people.
enum FleetStatusText {
    static func lines(_ overview: FleetOverview) -> [ToolLine] {
        head(overview) + [""] + agents(overview.agents) + [""] + problems(overview)
    }

    /// How many viewers there are, how the store is, and what agents claim.
    private static func head(_ overview: FleetOverview) -> [ToolLine] {
        let (store, viewers) = (overview.store, overview.viewers)
        var lines: [ToolLine] = [
            """
            \(store.mode.uppercased(), .strong)  \(viewers.channels.counted("channel")), \
            \(viewers.count.counted("viewer")): \(overview.followed.grouped) followed, \(viewers.waiting.grouped) waiting, \
            \(overview.orphaned.grouped) orphaned
            """,
            """
            store: schema \(store.schemaVersion), \(store.durability), PostgreSQL \(version(store.serverVersion)), \
            \(store.isStandby ? "a standby" : store.standbys.counted("standby connection")), \
            \(Int(clamping: store.bytes >> 20).grouped) MiB, answers in \(store.latency.millisecondsText) ms
            """,
        ]
        if let rate = overview.claimsPerSecond, let unknown = overview.unknownLastHour {
            let tenths = Int(clamping: Int64((rate * 10).rounded().clamped(to: 0...1e12)))
            lines.append(
                "beacons: \((tenths / 10).grouped).\(tenths % 10) a second, \(Int(clamping: unknown).grouped) unknown in the last hour"
            )
        }
        return lines
    }

    private static func agents(_ agents: [FleetOverview.Agent]) -> [ToolLine] {
        guard !agents.isEmpty else { return ["no agents"] }
        let names = row([
            "agent", "state", "region", "holding", "capacity", "beat", "cpu", "memory", "claims", "version", "place",
        ])
        return [ToolLine(names, .muted)]
            + agents.map { agent in
                let text = row([
                    agent.name, agent.state.rawValue, agent.region, agent.holding.grouped, agent.capacity.grouped,
                    "\(agent.beatAge.components.seconds)s", agent.load.coresText ?? "-", agent.load.memoryText ?? "-",
                    agent.load.claimText ?? "-", agent.version, "\(agent.place) (pid \(agent.pid))",
                ])
                return ToolLine(text, agent.state == .silent ? .warning : agent.isAtWork ? nil : .muted)
            }
    }

    private static func problems(_ overview: FleetOverview) -> [ToolLine] {
        let lines = overview.problems.map { problem -> ToolLine in
            "\(problem.code.severity.rawValue, problem.code.severity.tint) \(problem.code.rawValue, .strong): \(problem.words)"
        }
        return overview.exitCode == 0 ? lines + [ToolLine("no problems", .good)] : lines
    }

    private static let widths = [16, 9, 10, 9, 9, 7, 5, 9, 8, 10]

    private static func row(_ cells: [String]) -> String {
        cells.enumerated().map { index, cell in
            index < widths.count ? cell.padding(to: widths[index]) + " " : cell
        }.joined()
    }

    private static func version(_ number: Int) -> String { "\(number / 10_000).\(number % 10_000)" }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
