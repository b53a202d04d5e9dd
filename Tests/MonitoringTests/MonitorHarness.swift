import AdTracking
import Monitoring
import Ports
import Testing

/// Runs a session's state against a fake origin on a virtual clock: no tasks, no waiting, the same every time.
struct MonitorHarness {
    struct Receipt: Hashable {
        var url: String
        var at: Moment
    }

    private struct Coming {
        var at: Duration
        var order: Int
        var input: Input
    }

    var state: MonitorState
    var origin: FakeOrigin
    var now: Moment
    /// Beacons that reached the network, in order.
    private(set) var receipts: [Receipt] = []
    /// Every URL requested, beacons included.
    private(set) var requested: [String] = []
    /// Inputs with their moments, as a recorder would see them.
    private(set) var inputs: [RecordedInput] = []
    private(set) var wakes = 0
    /// What the journal holds: survives the harness when handed to another.
    var journal: [JournalEntry] = []
    var journalFails: String?
    /// The next claims find their journal gone.
    var losesJournal = false
    /// What the journal keeps for people.
    private(set) var notes: [JournalNote] = []
    /// Beacons are sent and never answered, as when the process dies.
    var losesAnswers = false
    private var claims: [Int: Int] = [:]
    private var coming: [Coming] = []
    private var wake: Duration?
    private var order = 0
    private var counts: [String: Int] = [:]

    init(
        _ origin: FakeOrigin, joinAt milliseconds: Int64 = 60_000,
        _ change: (inout MonitorConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8"))
        configuration.seed = 7
        change(&configuration)
        state = MonitorState(configuration)
        self.origin = origin
        now = Moment(wall: FakeOrigin.start + .milliseconds(milliseconds), uptime: .seconds(1_000))
    }

    var urls: [String] { receipts.map(\.url) }
    var log: [String] {
        state.snapshotForTests(at: now).log.suffix(100_000).map { "\($0.level.rawValue): \($0.message)" }
    }

    mutating func snapshot() -> Snapshot { state.snapshot(at: now) }

    mutating func submit(_ input: Input) {
        inputs.append(RecordedInput(input: input, at: now))
        for effect in state.apply(input, at: now) { perform(effect) }
    }

    mutating func start() { submit(.started) }

    /// Runs for that long, event by event.
    mutating func run(for span: Duration) {
        let end = now.uptime + span
        while let next = nextInstant, next <= end {
            now = now.advanced(by: max(.zero, next - now.uptime))
            step()
        }
        now = now.advanced(by: max(.zero, end - now.uptime))
    }

    /// Runs until media time `milliseconds` at the live edge.
    mutating func run(untilEdge milliseconds: Int64) {
        run(for: (FakeOrigin.start + .milliseconds(milliseconds)) - now.wall)
    }

    /// Moves the wall clock alone.
    mutating func setClock(by span: Duration) { now.wall += span }

    private var nextInstant: Duration? {
        let input = coming.min { ($0.at, $0.order) < ($1.at, $1.order) }?.at
        return [input, wake].compactMap { $0 }.min()
    }

    private mutating func step() {
        if let index = coming.indices.min(by: { (coming[$0].at, coming[$0].order) < (coming[$1].at, coming[$1].order) }
        ),
            coming[index].at <= now.uptime
        {
            return submit(coming.remove(at: index).input)
        }
        guard let wake, wake <= now.uptime else { return }
        self.wake = nil
        wakes += 1
        submit(.woke)
    }

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .wake(let uptime): wake = uptime
        case .fetch(let id, _, let request):
            let reply = answer(request)
            come(.fetched(id, reply.exchange), after: reply.delay)
        case .send(let claim, let request):
            receipts.append(Receipt(url: request.url.text, at: now))
            let reply = answer(request)
            if !losesAnswers { come(.beaconAnswered(claim, reply.exchange), after: reply.delay) }
        case .openJournal(_, let holdings):
            hold(holdings)
            come(
                journalFails.map { .journalFailed($0) } ?? .journalOpened(JournalOpening(entries: journal)),
                after: .milliseconds(2))
        case .writeClaims(let records):
            if let journalFails { return come(.journalFailed(journalFails), after: .milliseconds(2)) }
            if losesJournal {
                losesJournal = false
                journal = []
                claims = [:]
                return come(.journalLost("journal: deleted"), after: .milliseconds(2))
            }
            write(records)
            come(.claimsWritten(records.map { ClaimID($0.number) }), after: .milliseconds(2))
        case .writeNotes(let new): notes += new
        case .writeOutcomes(let outcomes):
            for outcome in outcomes {
                if let place = claims[outcome.claim] { journal[place].outcome = outcome.state }
            }
        }
    }

    /// What an opened journal does not know is written.
    private mutating func hold(_ holdings: [JournalHolding]) {
        guard journalFails == nil else { return }
        for holding in holdings where !journal.contains(where: { $0.beacon == holding.entry.beacon }) {
            if let claim = holding.claim { claims[claim] = journal.count }
            journal.append(holding.entry)
        }
    }

    private mutating func write(_ records: [JournalClaim]) {
        for record in records {
            let entry = JournalEntry(beacon: record.beacon, round: record.round, attempt: record.attempt, outcome: nil)
            if let place = journal.firstIndex(where: { $0.beacon == record.beacon }) {
                journal[place] = entry
                claims[record.number] = place
            } else {
                claims[record.number] = journal.count
                journal.append(entry)
            }
        }
    }

    private mutating func answer(_ request: HTTPRequest) -> FakeOrigin.Reply {
        requested.append(request.url.text)
        let count = counts[request.url.path, default: 0]
        counts[request.url.path] = count + 1
        return origin.reply(to: request, at: now, count: count)
    }

    private mutating func come(_ input: Input, after delay: Duration) {
        order += 1
        coming.append(Coming(at: now.uptime + delay, order: order, input: input))
    }
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
    /// A snapshot that leaves the state alone.
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
