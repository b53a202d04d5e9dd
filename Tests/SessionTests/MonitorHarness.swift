import AdTracking
import Ports
import Session
import Simulation
import TestSupport
import Testing

/// A simulated viewer in front of a fake origin: no tasks, no waiting, the same result every time.
struct MonitorHarness {
    struct Receipt: Hashable {
        var url: String
        var at: Moment
    }

    /// A request as the session passed it to the edge.
    struct Carried {
        var purpose: VirtualPurpose
        var request: HTTPRequest

        var isBeacon: Bool { if case .beacon = purpose { true } else { false } }
    }

    /// The fake origin as a network that records requests.
    private struct Network: VirtualServer {
        var origin: FakeOrigin
        var receipts: [Receipt] = []
        var requested: [String] = []
        var requests: [Carried] = []
        private var counts: [String: Int] = [:]

        init(_ origin: FakeOrigin) {
            self.origin = origin
        }

        mutating func reply(to request: HTTPRequest, for purpose: VirtualPurpose, at now: Moment) -> VirtualReply {
            if case .beacon = purpose { receipts.append(Receipt(url: request.url.text, at: now)) }
            requested.append(request.url.text)
            requests.append(Carried(purpose: purpose, request: request))
            let count = counts[request.url.path, default: 0]
            counts[request.url.path] = count + 1
            let reply = origin.reply(to: request, at: now, count: count)
            return VirtualReply(exchange: reply.exchange, delay: reply.delay)
        }
    }

    private var viewer: VirtualViewer
    private var network: Network
    var now: Moment

    init(
        _ origin: FakeOrigin, joinAt milliseconds: Int64 = 60_000,
        _ change: (inout MonitorConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8"))
        configuration.seed = 7
        change(&configuration)
        viewer = VirtualViewer(configuration, keepsInputs: true)
        network = Network(origin)
        now = Moment(wall: FakeOrigin.start + .milliseconds(milliseconds), uptime: .seconds(1_000))
    }

    /// A session that ran until media time `edge`, in milliseconds, was at the live edge (default: past the end of both
    /// breaks).
    static func ran(
        _ origin: FakeOrigin = MainPathTests.twoBreaks, until edge: Int64 = 200_000,
        _ change: (inout MonitorConfiguration) -> Void = { _ in }
    ) throws -> MonitorHarness {
        var session = try MonitorHarness(origin, change)
        session.start()
        session.run(untilEdge: edge)
        return session
    }

    var state: MonitorState { viewer.state }
    var origin: FakeOrigin {
        get { network.origin }
        set { network.origin = newValue }
    }
    /// Beacons that reached the network, in order.
    var receipts: [Receipt] { network.receipts }
    var urls: [String] { receipts.map(\.url) }
    /// Every URL requested, beacons included.
    var requested: [String] { network.requested }
    /// The same requests with their purposes and rules, in order.
    var requests: [Carried] { network.requests }
    /// The requests of beacons, error URLs and notices, in order.
    var beaconRequests: [HTTPRequest] { network.requests.filter(\.isBeacon).map(\.request) }
    /// The requests of one purpose, in order.
    func requests(for purpose: FetchPurpose) -> [HTTPRequest] {
        network.requests.filter { $0.purpose == .fetch(purpose) }.map(\.request)
    }
    /// Inputs with their moments, as a recorder receives them.
    var inputs: [RecordedInput] { viewer.inputs }
    var wakes: Int { viewer.wakes }
    /// The content of the journal: survives the harness when passed to another.
    var journal: [JournalEntry] {
        get { viewer.journal.entries }
        set { viewer.journal = VirtualJournal(newValue) }
    }
    var journalFails: String? {
        get { viewer.journalProblem }
        set { viewer.journalProblem = newValue }
    }
    var journalFailsAs: JournalProblem.Kind {
        get { viewer.journalProblemKind }
        set { viewer.journalProblemKind = newValue }
    }
    /// The damaged journal that openings report.
    var damagedFile: String? {
        get { viewer.damagedFile }
        set { viewer.damagedFile = newValue }
    }
    /// The next claims fail because the journal is lost.
    var losesJournal: Bool {
        get { viewer.losesJournal }
        set { viewer.losesJournal = newValue }
    }
    /// That many openings of the journal end in a loss.
    var lostOpenings: Int {
        get { viewer.lostOpenings }
        set { viewer.lostOpenings = newValue }
    }
    /// The history notes of the journal.
    var notes: [JournalNote] { viewer.notes }
    /// Beacons are sent and never answered, as when the process ends.
    var losesAnswers: Bool {
        get { viewer.losesAnswers }
        set { viewer.losesAnswers = newValue }
    }
    var log: [String] {
        state.snapshotForTests(at: now).log.suffix(100_000).map { "\($0.level.rawValue): \($0.message)" }
    }

    mutating func snapshot() -> Snapshot { viewer.snapshot(at: now) }

    func health() -> SessionHealth { SessionHealth(state, at: now) }

    mutating func submit(_ input: Input) {
        viewer.submit(input, at: now, to: &network)
    }

    mutating func start() { submit(.started) }

    /// Runs for this long, event by event.
    mutating func run(for span: Duration) {
        let end = now.uptime + span
        while let next = viewer.next, next <= end {
            now = now.advanced(by: max(.zero, next - now.uptime))
            _ = viewer.step(at: now, on: &network)
        }
        now = now.advanced(by: max(.zero, end - now.uptime))
    }

    /// Runs until media time `milliseconds` at the live edge.
    mutating func run(untilEdge milliseconds: Int64) {
        run(for: (FakeOrigin.start + .milliseconds(milliseconds)) - now.wall)
    }

    /// Moves only the wall clock.
    mutating func setClock(by span: Duration) { now.wall += span }
}

extension MonitorHarness {
    /// The session so far, written as a recording and read again.
    func recorded(_ redaction: RecordingRedaction.Setting) throws -> Recording {
        var writer = RecordingWriter(redaction: redaction)
        var reader = RecordingReader()
        try reader.take(Array(writer.header(state.configuration).utf8))
        for input in inputs {
            for line in writer.lines(for: input) { try reader.take(Array(line.utf8)) }
        }
        return try #require(reader.recording)
    }
}

extension MonitorState {
    /// A snapshot that does not change the state.
    func snapshotForTests(at now: Moment) -> Snapshot {
        var copy = self
        return copy.snapshot(at: now)
    }
}

extension Snapshot {
    var events: [EventView] { breaks.flatMap(\.ads).flatMap(\.events) }

    func event(_ name: String, ad: String) -> EventView? {
        breaks.flatMap(\.ads).first { $0.name == ad }?.events.first { $0.event == name }
    }
}
