import AdTracking
import HLS
import Ports

/// Cases of MediaTailor: a session, its playlists and its answers.
struct MediaTailorVectors {
    /// Seconds between two requests if nothing names them.
    private static let usualInterval = ExactDecimal(6)

    private let session: MediaTailorSession
    private var pages: MediaTailorPages
    private var clock = MediaTailorClock()
    private var timeline = Timeline()
    private var listing = Listing()
    private var requests: [JSONValue] = []
    private var findings: [Finding] = []
    private let isLive: Bool
    private var isDone = false
    private var isAtOnce = false

    static func result(_ input: VectorNode) throws(VectorProblem) -> JSONObject {
        var run = try MediaTailorVectors(input)
        try run.readPlaylists(input)
        if let list = input.optional("asset_list") { try run.readAssetList(list) }
        for answer in try input.optional("tracking")?.list() ?? [] { try run.answered(answer) }
        return try run.result(input)
    }

    // MARK: Session

    private init(_ input: VectorNode) throws(VectorProblem) {
        isLive = try input.optional("live")?.flag() ?? true
        pages = MediaTailorPages(usesTokens: try input.optional("paging")?.flag() ?? false)
        session = try Self.session(input)
        if session.mode == .server {
            findings.append(ProviderRule.reportedByService.finding("server reporting", path: ""))
        }
    }

    private static func session(_ input: VectorNode) throws(VectorProblem) -> MediaTailorSession {
        if let tracking = input.optional("tracking_url") { return MediaTailorSession(attachedTo: try url(tracking)) }
        let request = try input.member("init").member("request")
        let asked = try url(try request.member("url"))
        guard let answer = try input.member("init").optional("response")?.member("body") else {
            let playlist = try input.optional("playlists")?.list().first?.member("url")
            var address: WebURL?
            if let playlist { address = try url(playlist) }
            return MediaTailorSession(implicit: asked, playlist: address)
        }
        let mode = request.value["body"]?["reportingMode"]?.stringValue
        switch MediaTailorSession.explicit(answer.value, mode: mode, asked: asked) {
        case .success(let session): return session
        case .failure(let problem): throw VectorProblem(path: answer.path, message: problem.text)
        }
    }

    static func url(_ node: VectorNode) throws(VectorProblem) -> WebURL {
        let text = try node.text()
        do throws(WebURLProblem) {
            return try WebURL(text)
        } catch {
            throw VectorProblem(path: node.path, message: "the address \(error.explanation)")
        }
    }

    // MARK: Input

    private mutating func readPlaylists(_ input: VectorNode) throws(VectorProblem) {
        for node in try input.optional("playlists")?.list() ?? [] {
            let text = try node.member("text").text()
            let parsed = PlaylistParser.parse(Array(text.utf8), uri: try node.member("url").text())
            guard let playlist = parsed.media else {
                throw VectorProblem(path: node.path, message: "not a media playlist")
            }
            _ = timeline.fold(playlist)
            clock.noted(playlist)
        }
        if let date = ListedTime.date(input.value["mpd"]?["availabilityStartTime"]) { _ = clock.anchored(date) }
    }

    private mutating func readAssetList(_ node: VectorNode) throws(VectorProblem) {
        guard let start = ListedTime.date(try node.member("start").value) else {
            throw VectorProblem(path: node.path, message: "no date")
        }
        let body = try node.member("body")
        do throws(MetadataProblem) {
            let document = try MediaTailorDocument.read(assetList: body.value, start: start, session.mode)
            if let document { take(document) }
        } catch {
            throw VectorProblem(path: body.path, message: error.explanation)
        }
    }

    private mutating func answered(_ node: VectorNode) throws(VectorProblem) {
        guard !isDone, !pages.isGone, session.tracking != nil else {
            throw VectorProblem(path: node.path, message: "an answer that was not asked for")
        }
        let at = Duration.milliseconds(Int64((try node.member("at").number() * 1_000).rounded()))
        requests.append(.object(request(at)))
        let status = Int(try node.member("status").integer())
        guard (200..<300).contains(status) else {
            let (isRepeated, finding) = pages.failed(status: status)
            isAtOnce = isRepeated
            findings += [finding].compactMap(\.self)
            return
        }
        isAtOnce = false
        let body = try node.member("body")
        do throws(MetadataProblem) {
            let document = try MediaTailorDocument.read(body.value, session.mode)
            findings += [pages.arrived(token: document.token, at: at)].compactMap(\.self)
            take(document)
        } catch {
            throw VectorProblem(path: body.path, message: error.explanation)
        }
        if !isLive { isDone = true }
    }

    private mutating func take(_ document: MediaTailorDocument) {
        findings += [clock.anchored(document.zero)].compactMap(\.self)
        listing.add(document.answer)
    }

    private mutating func request(_ now: Duration) -> JSONObject {
        var members = JSONObject()
        let body = pages.body(at: now)
        members.append("method", body == nil ? "GET" : "POST")
        members.append("url", .optional(session.tracking?.text))
        if let body { members.append("body", body) }
        return members
    }

    // MARK: Result

    private mutating func result(_ input: VectorNode) throws(VectorProblem) -> JSONObject {
        let hasPlaylist = timeline.playlist != nil
        let placed = clock.placement(on: hasPlaylist ? timeline : nil).placed(listing.breaks)
        let (clock, breaks) = ListingJSON.breaks(placed)
        let all = findings + listing.findings + ListingLint.findings(in: listing.breaks)
        var members = JSONObject()
        members.append(
            "session",
            [
                "manifest": .optional(session.manifest?.text), "tracking": .optional(session.tracking?.text),
                "id": .optional(session.id),
            ])
        members.append("reporting", .string(session.mode.rawValue))
        members.append("clock", .string(clock))
        members.append("breaks", breaks)
        members.append("requests", .array(requests))
        members.append(
            "findings", .array(all.map { ["id": .string($0.rule), "node": .string($0.path ?? "")] }))
        members.append("next", .object(try next(input)))
        return members
    }

    private mutating func next(_ input: VectorNode) throws(VectorProblem) -> JSONObject {
        guard session.tracking != nil, !isDone, !pages.isGone else {
            return JSONObject([JSONObject.Member(name: "stop", value: true)])
        }
        var members = request(.zero)
        let told = ["targetDuration", "minimumUpdatePeriod"].lazy.compactMap { input.optional($0)?.value.decimalValue }
        let listed = timeline.targetDuration.map { ExactDecimal(seconds: $0) }
        members.append("after", JSONValue(isAtOnce ? .zero : listed ?? told.first ?? Self.usualInterval))
        return members
    }
}
