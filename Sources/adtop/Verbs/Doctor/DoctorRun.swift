import Foundation
import Live
import Ports
import Session

/// Goes through a stream: each host that is requested gets a connection of its own first, and the hosts of trackers get
/// nothing but a connection.
struct DoctorRun {
    let settings: Settings
    let time: any TimeSource
    /// Called before each step.
    var progress: @Sendable (String) -> Void = { _ in }

    /// The URL may have user and password.
    func report(on typed: WebURL) async throws(CommandFailure) -> DoctorReport {
        let plan = try settings.connection.plan()
        let requests = try SessionRequests(settings.requests, typed: typed, over: plan, time: time)
        var course = DoctorCourse(
            examination: Examination(try configuration(for: requests.url)),
            client: LiveHTTPTransport(plan: plan),
            report: DoctorReport(additions: requests.additions))
        await course.follow(requests, from: typed.withoutCredentials, time, progress)
        let client = course.client
        _ = await WayOut.within(WayOut.closing) { await client.shutdown() }
        SessionRequests.keepCookies(of: [requests], at: time.now().wall).forEach(Output.loss)
        return course.report
    }

    private func configuration(for url: WebURL) throws(CommandFailure) -> MonitorConfiguration {
        var settings = settings
        // Only the stream is examined.
        settings.auction = nil
        (settings.clientSide.vast, settings.clientSide.vmap, settings.session.mode) = (nil, nil, nil)
        return try SessionRun(settings: settings, dump: nil, recording: nil).configuration(for: url)
    }
}

/// The state of a run.
private struct DoctorCourse {
    var examination: Examination
    let client: LiveHTTPTransport
    var report: DoctorReport
    /// By origin.
    private var connections: [String: ConnectionCourse] = [:]

    init(examination: Examination, client: LiveHTTPTransport, report: DoctorReport) {
        self.examination = examination
        self.client = client
        self.report = report
    }

    mutating func follow(
        _ requests: SessionRequests, from url: WebURL, _ time: any TimeSource, _ progress: @Sendable (String) -> Void
    ) async {
        let transport = requests.transport(over: client)
        examination.start(at: time.now())
        while let order = examination.next() {
            progress("\(order.purpose.rawValue) \(order.request.method.rawValue) \(order.request.url.text)")
            let exchange: HTTPExchange
            // A second failure of the same connection says nothing new.
            if let failure = await connect(order.request) {
                if connections.count == 1 { break }
                exchange = HTTPExchange(failure: failure)
            } else {
                exchange = await transport.send(order.request)
            }
            examination.answered(order, exchange, at: time.now())
            if let answer = examination.answers.last { report.note(answer) }
        }
        report.conclude(
            isOpen: examination.isOpen, metadata: examination.metadata,
            problem: examination.problem(at: time.now()))
        await connectTrackers(progress, at: time.now())
    }

    /// Tries the connection of a request once; returns its failure.
    private mutating func connect(_ request: HTTPRequest) async -> HTTPFailure? {
        if let known = connections[request.url.origin] { return known.failure }
        let course = await client.trial(of: request)
        connections[request.url.origin] = course
        report.note(course, to: request.url)
        return course.failure
    }

    private mutating func connectTrackers(_ progress: @Sendable (String) -> Void, at now: Moment) async {
        let (requests, omitted) = examination.trackerRequests(at: now)
        let allowed = requests.filter(examination.allows)
        if !allowed.isEmpty { progress("\(allowed.count.counted("tracker host"))") }
        let client = client
        let courses = await withTaskGroup(of: (String, ConnectionCourse).self) { group in
            for request in allowed { group.addTask { (request.url.origin, await client.trial(of: request)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for request in requests {
            if let course = courses[request.url.origin] {
                report.noteTracker(course, to: request.url)
            } else {
                report.noteForbidden(request.url)
            }
        }
        report.noteOmitted(omitted)
    }
}
