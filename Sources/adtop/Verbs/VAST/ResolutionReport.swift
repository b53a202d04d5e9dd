import Ports
import VAST

/// A resolution as text: the chain as a tree, the ads merged over all levels, and every pixel that would fire.
struct ResolutionReport {
    let course: TagResolver.Course
    let values: MacroValues
    /// The documents came over the network, so their delivery is checked too.
    var isLive = true
    var isExplaining = false
    /// The duration of each resolution when there are several; `course` is the last.
    var all: [Duration] = []

    private var resolution: WrapperResolution { course.resolution }

    var lines: [ToolLine] {
        let result = resolution.result
        var lines = resolution.responses.isEmpty ? [] : tree(of: resolution.responses[0]).lines
        lines.append("")
        if let failure = result.failure {
            lines.append("\("no ad: error \(failure.code)", .error): \(failure.message)")
        }
        for (index, ad) in result.pod.enumerated() {
            lines += describe(ad, as: "pod \(index + 1)/\(result.pod.count)")
        }
        for ad in result.standalone { lines += describe(ad, as: "stand-alone") }
        if !result.pixels.isEmpty {
            lines.append("error pixels of the chain (not fired)")
            for report in result.errorReports { lines += describe(report) }
        }
        lines += result.findings.map { Report.finding($0, place: resolution.tag) }
        for response in isLive ? resolution.responses : [] {
            lines += course.deliveryFindings(of: response).map {
                Report.finding($0, place: response.url ?? resolution.tag)
            }
        }
        lines.append(
            ToolLine(
                "\(course.exchanges.count.counted("request")) in \(Self.milliseconds(course.elapsed))", .muted))
        return lines + spread
    }

    /// The distribution of the durations when there are several.
    private var spread: [ToolLine] {
        guard all.count > 1 else { return [] }
        let sorted = all.sorted()
        let text = { (share: Int) in Self.milliseconds(sorted[max(0, (sorted.count * share + 99) / 100 - 1)]) }
        return [
            "\(all.count) times: median \(text(50)), p95 \(text(95)), worst \(text(100)), first \(Self.milliseconds(all[0]))"
        ]
    }

    /// `  301, 303  w1  https://…  for 3 failures`
    private func describe(_ report: ErrorReport) -> [ToolLine] {
        let pixel = report.pixel
        let codes = report.codes.map(String.init).joined(separator: ", ")
        let count = report.failures > 1 ? "  for \(report.failures) failures" : ""
        let line: ToolLine = "  \(codes)  \(pixel.adID ?? "root")  \(pixel.url)\(count, .muted)"
        let macros = isExplaining ? Self.explanation(of: pixel.macros) : []
        return [line] + macros.map { "       \($0, .muted)" }
    }

    /// One line for each macro: its replacement and the reason.
    static func explanation(of steps: [MacroExpander.Step]) -> [String] {
        steps.map { step in
            step.isLeft
                ? "\(step.token)  \(step.reason.explanation)"
                : "\(step.token) → \(step.replacement.isEmpty ? "(empty)" : step.replacement)  \(step.reason.explanation)"
        }
    }

    // MARK: The chain

    private func tree(of response: Response) -> TextTree {
        TextTree(
            line: ToolLine(response.url ?? response.template, .strong), details: details(of: response),
            children: response.slots.indices.map { tree(of: response.slots[$0], $0, of: response) })
    }

    private func details(of response: Response) -> [ToolLine] {
        var facts: [String] = []
        let exchange = course.exchanges[response.id]
        if let status = exchange?.status ?? response.status { facts.append("HTTP \(status)") }
        if let version = response.reading?.vast?.version { facts.append("VAST \(version)") }
        if let bytes = response.byteCount { facts.append("\(bytes) bytes") }
        if let exchange { facts.append(Self.timings(exchange)) }
        var lines = facts.isEmpty ? [] : [ToolLine(facts.joined(separator: ", "), .muted)]
        if let exchange, exchange.wasRedirected {
            lines += exchange.hops.dropLast().map { "redirected by \($0.status) from \($0.url)" }
        }
        if let count = course.cookies[response.id] { lines.append("cookies sent: \(count), set by earlier answers") }
        if let failure = response.failure { lines.append(Self.problem(failure)) }
        if isExplaining { lines += Self.explanation(of: response.macros).map { ToolLine($0, .muted) } }
        return lines
    }

    private func tree(of slot: Response.Slot, _ index: Int, of response: Response) -> TextTree {
        let ad = slot.ad
        let place = ad.sequence.map { " sequence \($0)" } ?? ""
        let system = ad.system.map { " (\(($0.name + " " + ($0.version ?? "")).trimmingBlanks))" } ?? ""
        let name = "\(ad.wrapper == nil ? "inline" : "wrapper") \(ad.id ?? "without id")\(place)\(system)"
        // The documents behind a wrapper that led to no ad are shown too.
        let behind = resolution.responses.filter { $0.parent?.response == response.id && $0.parent?.slot == index }
        let children = behind.map { tree(of: $0) }
        switch slot.state {
        case .inLine:
            return TextTree(line: ToolLine("\(name) \(ad.title.map { "“\($0)”" } ?? "")".trimmingBlanks, .good))
        case .behind, .waiting: return TextTree(line: ToolLine(name), children: children)
        case .failed(let failure) where children.isEmpty:
            return TextTree(line: "\(name) \(Self.problem(failure))")
        case .failed: return TextTree(line: "\(name) \("✗", .error)", children: children)
        }
    }

    // MARK: The ads

    private func describe(_ ad: ResolvedAd, as place: String) -> [ToolLine] {
        let chain = (ad.chain.map(\.ad.id) + [ad.ad.id]).map { $0 ?? "?" }.joined(separator: " > ")
        var lines = [ToolLine("\(place): \(chain)  \(ad.ad.title.map { "“\($0)”" } ?? "")".trimmingBlanks, .strong)]
        if let duration = ad.durationMilliseconds { lines.append("  duration \(Duration.milliseconds(duration).text)") }
        if let pricing = ad.pricing {
            lines.append("  price \(pricing.value.value) \(pricing.value.currency ?? "") \(pricing.value.model ?? "")")
        }
        let choice = ad.linears.first.map {
            CreativeChoice(of: $0.linear, in: ad.ad, for: PlayerProfile.television.playing(ad.ad), slots: [])
        }
        let chosen = choice.flatMap { choice in choice.media.chosen.map { choice.files[$0] } }
        if let chosen { lines.append("  media file \(chosen.type ?? "?") \(chosen.url)") }
        return lines + events(of: ad, asset: chosen?.url)
    }

    private func events(of ad: ResolvedAd, asset: String?) -> [ToolLine] {
        let plan = TrackingPlan(ad)
        let known = ad.fill(values, assetURL: asset)
        var lines: [ToolLine] = plan.events.isEmpty ? [] : ["  would fire (not fired)"]
        for event in plan.events {
            let moment = event.atMilliseconds.map { "at \(Duration.milliseconds($0).text)" } ?? event.cause.clause
            let time = event.never.map { "never: \($0.rawValue)" } ?? moment
            lines.append("    \(event.name)\(event.offset.map { " \($0)" } ?? "")  \(time)")
            for url in event.urls {
                let level = url.level < ad.chain.count ? ad.chain[url.level].ad.id ?? "?" : ad.ad.id ?? "?"
                let expansion = url.expansion(known, at: event.atMilliseconds, seed: Self.pixelSeed)
                let refusal = TrackingPlan.refusal(of: expansion.url).map { "  never requested: the URL \($0)" } ?? ""
                lines.append("      \(level, .muted)  \(expansion.url)\(refusal, .warning)")
                if isExplaining { lines += Self.explanation(of: expansion.steps).map { "          \($0, .muted)" } }
            }
        }
        return lines
    }

    /// The value is arbitrary: listed pixels are not sent.
    static let pixelSeed: UInt64 = 12_345_678

    private static func problem(_ failure: ResolutionFailure) -> ToolLine {
        "\("✗ error \(failure.code)", .error): \(failure.message)"
    }

    // MARK: Figures

    private static func timings(_ exchange: HTTPExchange) -> String {
        let timings = exchange.timings
        let parts = [
            timings.resolve.map { "resolve \(milliseconds($0))" },
            timings.connect.map { "connect \(milliseconds($0))" },
            timings.wait.map { "wait \(milliseconds($0))" }, timings.receive.map { "receive \(milliseconds($0))" },
        ].compactMap { $0 }
        return milliseconds(timings.total) + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
    }

    private static func milliseconds(_ span: Duration) -> String { milliseconds(span.inMicroseconds) }

    private static func milliseconds(_ microseconds: Int64) -> String {
        let tenths = (max(0, microseconds).addingSaturating(50)) / 100
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}

extension ResolutionReport {
    /// Schema adtop-vast-resolution/1: the resolution, each request with its timings, each ad with its tracking plan.
    var json: JSONValue {
        let resolution = course.resolution
        var object = resolution.json.objectValue ?? JSONObject()
        object["requests"] = .array(
            (object["requests"]?.arrayValue ?? []).enumerated().map { index, request in
                var request = request.objectValue ?? JSONObject()
                guard let exchange = course.exchanges[index] else { return .object(request) }
                request["status"] = .optional(exchange.status)
                let findings = isLive ? course.deliveryFindings(of: resolution.responses[index]) : []
                request.append("delivery", Self.delivery(exchange, cookies: course.cookies[index], findings))
                return .object(request)
            })
        object.append(
            "tracking",
            .array(
                resolution.result.ads.map { ad in
                    var plan =
                        TrackingPlan(ad).json(values: ad.fill(values), seed: Self.pixelSeed).objectValue ?? JSONObject()
                    plan.append("ad", .optional(ad.ad.id))
                    return .object(plan)
                }))
        object.append("elapsed_us", .integer(course.elapsed.inMicroseconds))
        if all.count > 1 { object.append("all_elapsed_us", .array(all.map { .integer($0.inMicroseconds) })) }
        return .object(object)
    }

    private static func delivery(_ exchange: HTTPExchange, cookies: Int?, _ findings: [Finding]) -> JSONValue {
        let timings = exchange.timings
        return [
            "total_us": .integer(timings.total), "resolve_us": .optional(timings.resolve),
            "connect_us": .optional(timings.connect), "wait_us": .optional(timings.wait),
            "receive_us": .optional(timings.receive), "content_type": .optional(exchange.contentType),
            "redirects": .array(
                exchange.hops.dropLast().map {
                    ["url": .string($0.url), "status": .integer(Int64($0.status))]
                }),
            "failure": .optional(exchange.failure?.message), "cookies_sent": .bool(cookies != nil),
            "findings": Report.json(findings)["findings"] ?? .null,
        ]
    }
}

extension EventName.Cause {
    /// The cause of an event that has no time.
    fileprivate var clause: String {
        switch self {
        case .time: "when its time is known"
        case .user: "by the viewer"
        case .player: "by the player"
        case .creative: "by the creative"
        }
    }
}

extension String {
    /// Without blanks at both ends.
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
