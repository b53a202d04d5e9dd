import Dashboard
import Fleet
import Live
import Ports
import Screen
import Session

/// Reads a fleet without a terminal and prints its tables or the data, with the dashboard's renderer.
struct FleetDump {
    let plan: DumpPlan
    let settings: ScreenSettings
    let address: PostgresAddress
    private let time = SystemTimeSource()

    init(plan: DumpPlan, settings: ScreenSettings, address: PostgresAddress) {
        (self.plan, self.settings, self.address) = (plan, settings, address)
    }

    /// Reads once, or with `--for` once a second for that time; prints, and throws the exit status if it is not success.
    func run() async throws {
        var screen = try DashboardSetup.settings(settings, isUTF8: true)
        screen.redactsURLs = plan.isRedacted
        screen.table = .viewers
        var state = DashboardState(size: plan.size, settings: screen)
        let snapshot = Snapshot.empty(at: time.now())
        let fleet = FleetWatch(address, time: time)
        let headless = HeadlessWait(time: time)
        let seen = Seen()
        let end = await headless.end(by: time.now().uptime + (plan.duration ?? Self.longestRead)) {
            for await event in fleet.readings() {
                await seen.add(event)
                if plan.duration == nil { return true }
            }
            return false
        }
        if end == .interrupted { throw ExitStatus.interrupted.code }
        let view = fleet.view
        if let problem = view.problem { throw CommandFailure(problem) }
        guard let reading = view.reading else {
            throw CommandFailure(.network, "store: no answer in time; --for waits longer")
        }
        for event in await seen.events { _ = state.update(event, snapshot: snapshot, now: view.readAt ?? snapshot.at) }
        try await print(reading, &state, snapshot, fleet)
        if reading.overview.exitCode != 0 { throw ExitStatus.findings.code }
    }

    /// The first answer is waited for at most this long.
    private static let longestRead = Duration.seconds(30)

    /// The readings, in order.
    private actor Seen {
        private(set) var events: [DashboardEvent] = []
        func add(_ event: DashboardEvent) { events.append(event) }
    }

    /// Presses the keys, and prints the tables, or the viewer that a key opened.
    private func print(
        _ reading: FleetReading, _ state: inout DashboardState, _ snapshot: Snapshot, _ fleet: FleetWatch
    ) async throws {
        let now = fleet.view.readAt ?? snapshot.at
        var opened: Int?
        var rest: [InputEvent] = []
        for (number, key) in plan.keys.enumerated() where opened == nil {
            for case .selectSession(let viewer) in state.update(.input(key), snapshot: snapshot, now: now) {
                opened = viewer
                rest = Array(plan.keys[(number + 1)...])
            }
        }
        let frame = HeadlessFrame(
            settings: settings, size: plan.size, pane: nil, keys: rest, isRedacted: plan.isRedacted)
        if let opened, let session = await fleet.opened(opened) {
            let picture = await picture(of: session)
            // A frame says that there is none; data would look like a session that has nothing.
            if plan.format == .json, picture.session.lacksPicture {
                throw CommandFailure(
                    .network,
                    "picture: there is none of this viewer yet; ask as a role in adtop_operator while its agent runs")
            }
            Output.write(try frame.text(of: picture, as: plan.format))
            return
        }
        if plan.format == .json {
            Output.write(reading.json.text(indented: true) + "\n")
        } else {
            Output.write(try frame.text(of: Renderer.frame(snapshot, state, now: now).grid, as: plan.format))
        }
    }

    /// The first picture that comes within a few polls; else what there is.
    private func picture(of session: any WatchedSession) async -> Snapshot {
        let end = time.now().uptime + Self.longestPicture
        var last = await session.snapshot()
        for await snapshot in await session.snapshots() {
            last = snapshot
            if last.session.picture?.takenAt != nil || time.now().uptime >= end { break }
        }
        return last
    }

    private static let longestPicture = Duration.seconds(10)
}
