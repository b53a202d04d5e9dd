import Fleet
import Ports
import Screen

@testable import Dashboard
@testable import Session

/// A fleet of three agents, one of which is draining, one silent, with viewers in every state.
enum FleetSamples {
    static let now = SnapshotSamples.now

    static func agent(
        _ name: String, _ id: Int64, _ state: FleetOverview.Agent.State, holding: Int, _ load: JSONValue? = nil
    ) -> FleetOverview.Agent {
        FleetOverview.Agent(
            name: name, id: id, state: state, version: "1.4.0", region: id == 3 ? "eu" : "",
            place: "host\(id):/var/lib/adtop/fleet/\(name)", pid: 4_240 + Int(id), capacity: 2_000, holding: holding,
            beatAge: state == .silent ? .seconds(11) : .milliseconds(900), uptime: .seconds(86_400 + 3_600 * id),
            load: FleetOverview.Load(load))
    }

    static func viewer(
        _ id: Int, _ channel: String, _ agent: String?, _ phase: String, number: Int = 1, region: String = "",
        sent: Int = 40
    ) -> FleetViewer {
        var viewer = FleetViewer(
            id: id, channel: channel, labels: id % 2 == 0 ? ["news"] : [], region: region, number: number,
            agent: agent, epoch: 3, phase: phase)
        guard agent != nil, phase != "starting" else { return viewer }
        viewer.beacons = FleetViewer.Beacons(due: sent + 2, sent: sent, acknowledged: sent)
        viewer.worstLate = .milliseconds(40 + 7 * id)
        viewer.pollAge = .milliseconds(1_200 + 300 * id)
        viewer.healthAge = .seconds(3 * id)
        return viewer
    }

    static let some: FleetReading = {
        var overview = FleetOverview(
            at: now.wall,
            store: FleetOverview.Store(
                schemaVersion: 1, protocols: ProtocolRange(lowest: 1, highest: 1), stateVersion: 1, mode: "fire",
                durability: "strict", serverVersion: 150_018, standbys: 1, namesStandbys: true,
                latency: .microseconds(800), upkeepAge: .seconds(41)))
        overview.agents = [
            agent(
                "a1", 1, .alive, holding: 1_874,
                [
                    "cores": 0.714, "residentBytes": 512_000_000, "claimP99Ms": 7.1, "queue": 0, "failing": 2,
                ]),
            agent("a2", 2, .draining, holding: 12, ["cores": 0.05, "residentBytes": 81_000_000, "queue": 0]),
            agent(
                "a3", 3, .silent, holding: 40,
                [
                    "cores": 1.9, "residentBytes": 912_000_000, "claimP99Ms": 1_450, "queue": 1_204,
                ]),
            agent("a4", 4, .ended, holding: 0),
        ]
        overview.claimsPerSecond = 1_812.4
        overview.unknownLastHour = 3
        var viewers = [
            viewer(1, "ch7", "a1", "running"), viewer(2, "ch7", "a1", "running", number: 2),
            viewer(3, "ch8", "a2", "running"), viewer(4, "ch9-north", "a1", "running", region: "eu"),
            viewer(5, "news", "a1", "failing"), viewer(6, "sport", nil, "waiting", region: "us"),
            viewer(7, "movies", "a3", "orphaned"), viewer(8, "late-night", "a1", "starting"),
            viewer(9, "vod-4411", "a2", "ended"), viewer(10, "evil\u{1B}[31mname", "a1", "running"),
            viewer(11, "a-channel-name-that-is-longer-than-any-column", "a1", "running"),
        ]
        viewers[3].beacons?.failed = 3
        viewers[4].problem = "playlist: answered 503"
        viewers[5].aloneFor = .seconds(42)
        viewers[6].aloneFor = .seconds(17)
        overview.viewers.channels = 10
        overview.viewers.count = 11
        overview.viewers.waiting = 1
        overview.viewers.orphaned = 1
        overview.viewers.longestWait = .seconds(42)
        overview.viewers.longestOrphaned = .seconds(17)
        overview.viewers.failingChannels = 1
        overview.regions = [
            FleetOverview.Region(name: "", viewers: 9, waiting: 0),
            FleetOverview.Region(name: "us", viewers: 1, waiting: 1),
        ]
        return FleetReading(overview: overview, viewers: viewers)
    }()
}

/// The screen of a fleet, reached by events as a user would.
struct FleetSample {
    var state: DashboardState
    var view: FleetView
    var now = FleetSamples.now
    private(set) var effects: [DashboardEffect] = []
    private let snapshot = Snapshot.empty(at: FleetSamples.now)

    init(_ reading: FleetReading?, _ columns: Int, _ rows: Int, isASCII: Bool = false) {
        var settings = DashboardState.Settings()
        settings.version = "0.1"
        settings.isASCII = isASCII
        settings.themes = ["default", "midnight", "mono"]
        settings.table = .viewers
        state = DashboardState(size: Size(columns: columns, rows: rows), settings: settings)
        view = FleetView(reading: reading, readAt: reading == nil ? nil : FleetSamples.now)
        read()
    }

    /// The fleet is read again.
    mutating func read() { send(.fleetRead(view)) }

    mutating func send(_ event: DashboardEvent) { effects = state.update(event, snapshot: snapshot, now: now) }

    mutating func press(_ keys: String) throws {
        for key in try KeySequence.parse(keys) { send(.input(.key(key))) }
    }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { send(.input(.key(KeyPress(.char(scalar))))) }
    }

    var grid: Grid { Renderer.frame(snapshot, state, now: now).grid }
    var rows: [String] { TextWriter.rows(of: grid) }
    var names: [String] { state.views.viewers.rows.map(\.name) }
}
