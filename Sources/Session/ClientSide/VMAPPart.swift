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
    /// - Parameter asked: the pause that the server asks for.
    mutating func failed(asked: Duration, at now: Moment) -> Bool {
        failures += 1
        nextRequest = failures < Self.tries ? backOff.failed(asked: asked, at: now) : nil
        return nextRequest != nil
    }
}

/// The request for the schedule.
extension DecisionPart {
    /// Requests the document once at the start, and again after a failure.
    mutating func askForScheduleIfDue(_ desk: inout Desk, at now: Moment) {
        let isFirst = !vmap.isAsked
        vmap.isAsked = true
        let tag: String
        switch desk.configuration.decision {
        case .vmapDocument(let bytes):
            guard isFirst, let problem = readSchedule(bytes, charset: nil, base: nil, &desk, at: now) else { return }
            return desk.noteError(.metadata, "\(problem): no breaks are filled", from: .ads, at: now)
        case .vmap(let given): tag = given
        case .vast, nil: return
        }
        guard isFirst || vmap.nextRequest.map({ $0 <= now.uptime }) == true else { return }
        vmap.nextRequest = nil
        var values = Self.requestValues(MacroValues(), at: now)
        values[.cacheBusting] = .eightDigits(random.next())
        values[.contentURI] = .text(desk.configuration.mediaURL.text)
        values.custom = desk.configuration.macros
        let text = PercentEncoding.requestTarget(MacroExpander(values: values).url(tag, in: .request))
        do throws(WebURLProblem) {
            let request = HTTPRequest(
                url: try WebURL(text),
                fields: [
                    HTTPField("User-Agent", desk.configuration.userAgent), HTTPField("Accept", "application/xml, */*"),
                ],
                maximumBodyBytes: Limits.vastBytes)
            desk.fetch(.adSchedule, request, at: now)
        } catch {
            desk.noteError(.network, "the VMAP tag \(error.explanation): no breaks are filled", from: .ads, at: now)
        }
    }

    mutating func scheduleAnswered(_ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        guard exchange.isSuccess else {
            return scheduleFailed(exchange, "VMAP: \(Wording.problem(exchange))", .network, &desk, at: now)
        }
        let problem = readSchedule(
            exchange.body, charset: exchange.charset, base: exchange.finalURL, &desk, at: now)
        if let problem { scheduleFailed(exchange, problem, .metadata, &desk, at: now) }
    }

    private mutating func scheduleFailed(
        _ exchange: HTTPExchange, _ problem: String, _ kind: ErrorKind, _ desk: inout Desk, at now: Moment
    ) {
        let again = vmap.failed(asked: RetryAfter.pause(of: exchange, at: now), at: now)
        desk.noteError(
            kind, "\(problem)\(again ? ", asking again" : ": no breaks are filled")", from: .ads, at: now)
    }

    /// Returns why there is no schedule, as a clause with its subject; nil when it was read.
    private mutating func readSchedule(
        _ bytes: [UInt8], charset: String?, base: String?, _ desk: inout Desk, at now: Moment
    ) -> String? {
        let reading = VASTReader.read(bytes, charset: charset)
        desk.noteFindings(Array(reading.findings().prefix(CreativeView.findingsShown)), from: .decision, at: now)
        guard let document = reading.vmap else {
            let problem = reading.xml.problem?.message ?? (reading.vast == nil ? "is not VMAP" : "is VAST, not VMAP")
            return "the VMAP document \(problem)"
        }
        vmap.read(document, base: base)
        desk.note(.info, "VMAP: \(document.breaks.count.counted("break"))", from: .ads, at: now)
        return nil
    }
}

extension DecisionPart.BreakReports {
    init(_ trackings: [Tracking]) {
        func urls(_ name: String) -> [String] { trackings.filter { $0.event == name && !$0.url.isEmpty }.map(\.url) }
        self.init(start: urls("breakStart"), end: urls("breakEnd"), error: urls("error"))
    }
}

extension VMAPDocument.Break {
    /// Unique in a document: ids are optional and repeat.
    func name(index: Int, occurrence: Int) -> String {
        "\(id ?? timeOffset)/\(index + 1)\(occurrence > 0 ? "+\(occurrence)" : "")"
    }

    /// The tag to request, or the code of the reason why nothing can be requested.
    func tagSource(base: String?) -> TagSource {
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
        case .tag(let link, _) where !link.url.isEmpty:
            let origin = base.flatMap { try? WebURL($0) }  // a file has no address that tags could be relative to
            tag.tag = origin.map { URIReference.resolve(link.url, against: $0.reference) } ?? link.url
        case .custom: failed(VMAPCode.templateType, "has custom ad data, which is not supported")
        // An empty tag would be the address of the VMAP document itself.
        case .tag, .missing, nil: failed(VMAPCode.adDocument, "has no readable ad source")
        }
        return tag
    }
}
