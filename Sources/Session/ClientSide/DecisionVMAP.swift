import AdTracking
import HLS
import Ports
import VAST

/// The VMAP document of a session, and which of its stops have been opened.
struct VMAPPart {
    /// Maximum number of requests for the document.
    static let tries = 3

    private(set) var document: VMAPDocument?
    /// Address of the document, the base of relative addresses.
    private(set) var base: String?
    var schedule: VMAPSchedule?
    /// Length of the content for which `schedule` was computed.
    var scheduledFor: Duration?
    var answered: Set<Int> = []
    var answeredOpportunities: Set<Int> = []
    /// Uptime of the next request for the document; nil when none is due.
    var nextRequest: Duration?
    var isAsked = false
    var failures = 0
    var saidLive = false
    private var backOff: BackOff

    init(_ source: DecisionSource?, seed: UInt64) {
        backOff = BackOff(seed: seed)
    }

    mutating func read(_ document: VMAPDocument, base: String?) {
        self.document = document
        self.base = base
        nextRequest = nil
    }

    /// True when the request will be repeated.
    mutating func failed(at now: Moment) -> Bool {
        failures += 1
        nextRequest = failures < Self.tries ? backOff.failed(at: now) : nil
        return nextRequest != nil
    }
}

extension MonitorState {
    /// Requests the document once at the start, and again after a failure.
    mutating func askForScheduleIfDue(at now: Moment) {
        guard session.addresses != nil else { return }
        let isFirst = !decisions.vmap.isAsked
        decisions.vmap.isAsked = true
        let tag: String
        switch configuration.decision {
        case .vmapDocument(let bytes): return isFirst ? readSchedule(bytes, base: nil, at: now) : ()
        case .vmap(let given): tag = given
        case .vast, nil: return
        }
        guard isFirst || decisions.vmap.nextRequest.map({ $0 <= now.uptime }) == true else { return }
        decisions.vmap.nextRequest = nil
        var values = requestValues(MacroValues(), at: now)
        values[.cacheBusting] = .eightDigits(decisions.random.next())
        values[.contentURI] = .text(configuration.mediaURL.text)
        values.custom = configuration.macros
        let text = PercentEncoding.requestTarget(MacroExpander(values: values).url(tag, in: .request))
        do throws(WebURLProblem) {
            var request = HTTPRequest(
                url: try WebURL(text),
                fields: [
                    HTTPField("User-Agent", configuration.userAgent), HTTPField("Accept", "application/xml, */*"),
                ],
                maximumBodyBytes: Limits.vastBytes)
            request.cookies = CookieJar()
            fetch(.adSchedule, request, at: now)
        } catch {
            noteError(.network, "the VMAP tag \(error.explanation): no breaks are filled", at: now)
        }
    }

    mutating func scheduleAnswered(_ exchange: HTTPExchange, at now: Moment) {
        guard exchange.isSuccess else {
            let again = decisions.vmap.failed(at: now)
            return noteError(
                .network, "VMAP: \(Wording.problem(exchange))\(again ? ", asking again" : ": no breaks are filled")",
                at: now)
        }
        readSchedule(exchange.body, base: exchange.finalURL, at: now)
    }

    private mutating func readSchedule(_ bytes: [UInt8], base: String?, at now: Moment) {
        let reading = VASTReader.read(bytes)
        noteFindings(Array(reading.findings().prefix(CreativeView.findingsShown)), from: .decision, at: now)
        guard let document = reading.vmap else {
            return noteError(
                .metadata, "the VMAP document is \(reading.outcome.rawValue): no breaks are filled", at: now)
        }
        decisions.vmap.read(document, base: base)
        note(.info, "VMAP: \(Wording.count(document.breaks.count, "break"))", at: now)
    }

    // MARK: Stops

    /// Opens the stops that are due.
    mutating func openStops(at now: Moment) {
        guard let document = decisions.vmap.document, let window = playlist.follower.timeline.window else { return }
        guard playlist.follower.timeline.hasEnded else {
            guard !decisions.vmap.saidLive else { return }
            decisions.vmap.saidLive = true
            return note(
                .warning, "VMAP: offsets need a complete stream; no breaks are filled in a live stream", at: now)
        }
        makeSchedule(document, window)
        let stops = decisions.vmap.schedule?.stops ?? []
        for (index, stop) in stops.enumerated() where !decisions.vmap.answered.contains(index) {
            guard let place = place(of: stop, window), isDue(place, stop.position) else { continue }
            decisions.vmap.answered.insert(index)
            open(stop.breaks, of: document, at: place, position: stop.position, occurrence: stop.occurrence, now)
        }
        openOpportunities(document, at: now)
    }

    private mutating func makeSchedule(_ document: VMAPDocument, _ window: TimelineWindow) {
        let length = window.end - window.start
        guard decisions.vmap.scheduledFor != length else { return }
        decisions.vmap.scheduledFor = length
        decisions.vmap.schedule = VMAPSchedule(document, duration: length.inMilliseconds)
    }

    private func place(of stop: VMAPSchedule.Stop, _ window: TimelineWindow) -> StreamTime? {
        let length = window.end - window.start
        return stop.atMilliseconds.map { window.start + min(.milliseconds($0), length) }
    }

    /// A stop behind the playhead was missed; a post-roll is never missed before the end.
    private func isDue(_ place: StreamTime, _ position: VMAPSchedule.Position) -> Bool {
        let ahead = place - playhead.position
        let lead = position == .postRoll ? DecisionPart.postRollLead : DecisionPart.lead
        return ahead <= lead && ahead >= .zero - DecisionPart.lateOpening
    }

    /// `#n` refers to the n-th break that the playlist marks.
    private mutating func openOpportunities(_ document: VMAPDocument, at now: Moment) {
        let markers = playlist.follower.breaks.breaks.filter { $0.startStream != nil }
            .sorted { ($0.startStream ?? .zero) < ($1.startStream ?? .zero) }
        for entry in decisions.vmap.schedule?.byOpportunity ?? [] {
            guard !decisions.vmap.answeredOpportunities.contains(entry.index), entry.number <= markers.count,
                let place = markers[entry.number - 1].startStream, isDue(place, .midRoll)
            else { continue }
            decisions.vmap.answeredOpportunities.insert(entry.index)
            open([entry.index], of: document, at: place, position: .midRoll, occurrence: 0, now)
        }
    }

    private mutating func open(
        _ indices: [Int], of document: VMAPDocument, at place: StreamTime, position: VMAPSchedule.Position,
        occurrence: Int, _ now: Moment
    ) {
        let timeline = playlist.follower.timeline
        // The end of the last segment belongs to no segment: its date is the end of the window.
        guard let date = place == timeline.window?.end ? timeline.window?.endDate : timeline.date(at: place) else {
            return
        }
        let entries = indices.map { (index: $0, entry: document.breaks[$0]) }
        let parts = entries.map { entry in
            var part = DecisionPart.Part(name: entry.entry.name(index: entry.index, occurrence: occurrence))
            part.reports = DecisionPart.BreakReports(entry.entry.tracking)
            return part
        }
        var decision = DecisionPart.Decision(
            name: parts.first?.name ?? "", start: date, position: position, parts: parts, requestedAt: now,
            deadline: now.uptime, values: MacroValues())
        if position == .postRoll, let window = timeline.window {
            decision.endsAt = date
            decision.start = window.startDate ?? date
        }
        open(decision, tags: entries.map { $0.entry.tagSource(base: decisions.vmap.base) }, at: now)
    }

    var nextStopRequest: Duration? {
        guard let window = playlist.follower.timeline.window, let stops = decisions.vmap.schedule?.stops else {
            return nil
        }
        return stops.enumerated().compactMap { index, stop -> Duration? in
            guard !decisions.vmap.answered.contains(index), let place = place(of: stop, window) else { return nil }
            let lead = stop.position == .postRoll ? DecisionPart.postRollLead : DecisionPart.lead
            let due = place - lead
            return due > playhead.position ? playhead.uptime(reaching: due) : nil
        }.min()
    }
}

extension DecisionPart.BreakReports {
    fileprivate init(_ trackings: [Tracking]) {
        func urls(_ name: String) -> [String] { trackings.filter { $0.event == name && !$0.url.isEmpty }.map(\.url) }
        self.init(start: urls("breakStart"), end: urls("breakEnd"), error: urls("error"))
    }
}

extension VMAPDocument.Break {
    /// Unique in a document: ids are optional and repeat.
    fileprivate func name(index: Int, occurrence: Int) -> String {
        "\(id ?? timeOffset)/\(index + 1)\(occurrence > 0 ? "+\(occurrence)" : "")"
    }

    /// The tag to request, or the code of the reason why nothing can be requested.
    fileprivate func tagSource(base: String?) -> TagSource {
        var tag = TagSource(base: base)
        tag.allowMultipleAds = source?.allowMultipleAds
        tag.followRedirects = source?.followRedirects
        func failed(_ code: Int, _ message: String) {
            tag.failure = DecisionPart.Failure(code: code, message: message, urls: [], context: .vmapError)
        }
        guard types.isEmpty || types.contains("linear") else {
            failed(VMAPCode.breakType, "is not a linear break")
            return tag
        }
        switch source?.content {
        case .vast(let document, _): tag.document = document
        case .tag(let link, _):
            let origin = base.flatMap { try? WebURL($0) }  // a file has no address that tags could be relative to
            tag.tag = origin.map { URIReference.resolve(link.url, against: $0.reference) } ?? link.url
        case .custom: failed(VMAPCode.templateType, "has custom ad data, which is not supported")
        case .missing, nil: failed(VMAPCode.adDocument, "has no readable ad source")
        }
        return tag
    }
}
