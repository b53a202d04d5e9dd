import AdTracking
import Ports

/// What the parts of a session share while an input is applied: what they note for people, what they request from the
/// edge, and whether anything may be sent. A part owns its own state and gets the desk as a parameter; it knows no other
/// part through it.
struct Desk: Sendable {
    /// A request in flight.
    struct PendingRequest: Sendable {
        var purpose: FetchPurpose
        var at: Moment
    }

    let configuration: MonitorConfiguration

    // MARK: For people

    var log: SessionLog
    var errors = ErrorBook()
    /// The newest beacon that failed, of an ad, an ad space or a ping.
    private(set) var failedBeacon: FailedBeacon?
    var findings = FindingsTable()
    /// The media date that was played up to before the present input; nil before the playhead joined.
    var playheadDate: UnixTime?
    var activity = ActivityRecord()
    var deliveries = DeliveryTally()
    var counters = Counters()
    var history = HistoryPart()
    /// Nil once the first playlist was read.
    var opening: OpeningRecord? = OpeningRecord()

    // MARK: For the edge

    /// Effects collected while one input is applied.
    var effects: [Effect] = []
    /// Requests in flight.
    var requests: [RequestID: PendingRequest] = [:]
    private var nextRequest = 1

    // MARK: Sending

    var mode: ReportingMode
    /// A person armed the session, which allows what the default of the mode does not.
    var isArmedByPerson = false
    var isStopped = false
    var journal: JournalPart
    var beacons = BeaconPart()

    /// - Parameter seed: determines the pauses before the journal is opened again.
    init(_ configuration: MonitorConfiguration, seed: UInt64) {
        self.configuration = configuration
        log = SessionLog(capacity: configuration.log.lines)
        mode = configuration.sending.isReadonly ? .observe : configuration.mode
        journal = JournalPart(seed: seed)
    }

    /// The effects since they were taken last.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// Sends a request; its answer arrives as the input `fetched`.
    @discardableResult
    mutating func fetch(
        _ purpose: FetchPurpose, _ url: WebURL, limit: Int, timeout: Duration = Limits.requestTimeout,
        hold: Duration = .zero, at now: Moment
    ) -> RequestID {
        fetch(purpose, ProviderRequest(url, timeout: timeout), limit: limit, hold: hold, at: now)
    }

    /// Sends what a provider wants, as any request of the stream; its answer arrives as the input `fetched`.
    @discardableResult
    mutating func fetch(
        _ purpose: FetchPurpose, _ wanted: ProviderRequest, limit: Int, hold: Duration = .zero, at now: Moment
    ) -> RequestID {
        var request = request(wanted, limit: limit)
        request.hold = hold
        return fetch(purpose, request, at: now)
    }

    /// The beginning of what a provider wants, at most so many bytes; its answer arrives as the input `fetched`.
    mutating func fetchBeginning(
        _ purpose: FetchPurpose, _ wanted: ProviderRequest, limit: Int, at now: Moment
    ) -> RequestID {
        var request = request(wanted, limit: limit)
        request.cutsLongBody = true
        return fetch(purpose, request, at: now)
    }

    /// What a provider wants as a request of the stream.
    private func request(_ wanted: ProviderRequest, limit: Int) -> HTTPRequest {
        let fields = [HTTPField("User-Agent", configuration.userAgent), HTTPField("Accept", "*/*")]
        var request = HTTPRequest(
            method: wanted.method, url: wanted.url, fields: fields + wanted.fields, body: wanted.body,
            totalTimeout: wanted.timeout, maximumBodyBytes: limit, addressRule: configuration.feedAddressRule)
        request.audience = .stream
        request.redirectRule.reports = ProviderTable.self
        return request
    }

    /// Sends a prepared request; its answer arrives as the input `fetched`.
    @discardableResult
    mutating func fetch(_ purpose: FetchPurpose, _ request: HTTPRequest, at now: Moment) -> RequestID {
        let id = RequestID(nextRequest)
        nextRequest += 1
        var request = request
        request.trustedHost = configuration.mediaURL.host
        requests[id] = PendingRequest(purpose: purpose, at: now)
        opening?.asked(id, purpose, request, at: now)
        effects.append(.fetch(id, purpose, request))
        return id
    }

    /// - Parameters:
    ///   - source: what the line is about.
    ///   - host: that of a beacon.
    ///   - adBreak: the break that it is about.
    mutating func note(
        _ level: LogLevel, _ message: String, from source: LogSource = .session, host: String? = nil,
        about adBreak: LogEntry.Break? = nil, at now: Moment
    ) {
        log.append(level, message, from: source, host: host, about: adBreak, at: now)
        keep(.log(level, message), at: now)
    }

    /// Counts a beacon whose last try ended in the state of `change`, and keeps the newest that failed.
    /// - Parameter event: what it reports.
    mutating func noteLost(
        _ change: DeliveryChange, _ event: String, of owner: ClaimID.Owner = .stream, at now: Moment
    ) {
        counters.noteLost(change.state, owner)
        guard change.state != .unknown else { return }
        failedBeacon = FailedBeacon(
            event: event, host: (try? WebURL(written: change.url))?.host ?? "", status: change.answer?.status,
            failure: change.answer?.failure, at: now)
    }

    /// Records an error of the session: the newest of its kind, a mark on the sparkline, a line in the log.
    mutating func noteError(
        _ kind: ErrorKind, _ message: String, from source: LogSource = .session, at now: Moment
    ) {
        errors.note(kind, message, at: now)
        activity.noteError(at: now)
        note(.error, message, from: source, at: now)
    }
}
