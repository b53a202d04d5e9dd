import AdTracking
import HLS
import Ports
import VAST

/// Places the result of a tag in its break.
extension MonitorState {
    /// Places a break whose parts are all resolved: its ads become ads of the engine, and failures are reported.
    mutating func place(_ number: Int, at now: Moment) {
        guard var decision = decisions.decisions[number] else { return }
        decision.isPlaced = true
        if let place = decision.place, place < playhead.position { decisions.followDates(of: &decision) }
        var creatives: [Ad: CreativeView] = [:]
        let layouts = decision.parts.map { part in
            part.resolution.map { PodLayout($0.result, length: nil, player: .television) } ?? PodLayout()
        }
        var cursor = startOfPods(decision, total: layouts.reduce(.zero) { $0 + $1.end })
        let end = decision.endsAt ?? decision.length.map { decision.start + $0 }
        for index in decision.parts.indices {
            var part = decision.parts[index]
            part.start = cursor
            let result = part.resolution?.result
            if let result {
                part.layout = layout(result, of: decision, from: cursor, to: end, at: now)
                part.failures += Self.failures(of: result)
                desk.noteFindings(Array(result.findings.prefix(Self.findingsKept)), from: .decision, at: now)
            }
            part.addVMAPFailure(result?.failure)
            let ads = part.ads(values: decision.values)
            describe(part, of: decision, result, at: now)
            for ad in ads { creatives[ad.ad] = CreativeView(ad, of: part) }
            noteExcess(of: ads.flatMap(\.ad.events), at: now)
            cursor += part.layout?.end ?? .zero
            part.resolution = nil
            part.trips = [:]
            decision.parts[index] = part
        }
        decision.bodyBytes = creatives.values.reduce(0) { $0 + $1.hops.reduce(0) { $0 + $1.body.count } }
        decisions.decisions[number] = decision
        track(number, creatives, at: now)
        decisions.trimBodies()
    }

    /// The ads of a part that still fit into a break from `start` to `end`, without those that the viewer is too late for.
    private func layout(
        _ result: ResolutionResult, of decision: DecisionPart.Decision, from start: UnixTime, to end: UnixTime?,
        at now: Moment
    ) -> PodLayout {
        let viewer = viewerDate(of: decision)
        let age = now.uptime - decision.requestedAt.uptime + max(.zero, start - (viewer ?? start))
        var layout = PodLayout(result, length: end.map { max(.zero, $0 - start) }, player: .television, age: age)
        if let viewer, viewer > start + DecisionPart.lateStart {
            layout.lose(startingBefore: viewer - start - DecisionPart.lateStart)
        }
        return layout
    }

    /// The viewer's date on the clock of a break: dates of its own may be in the media of a break.
    private func viewerDate(of decision: DecisionPart.Decision) -> UnixTime? {
        guard let place = decision.place, playhead.state != .idle else { return playheadDate }
        return decision.start + (playhead.position - place)
    }

    /// Maximum number of findings per document.
    private static let findingsKept = 50

    /// A pre-roll starts when its ads arrive, a post-roll ends with the content, and any other pod starts with its
    /// break.
    private func startOfPods(_ decision: DecisionPart.Decision, total: Duration) -> UnixTime {
        let playhead = playheadDate
        if let end = decision.endsAt { return max(end - total, decision.start, playhead ?? decision.start) }
        guard decision.position == .preRoll, let playhead else { return decision.start }
        // A marked break has only its own length: a delay that any ad may have takes nothing of it.
        if decision.marker != nil, playhead <= decision.start + DecisionPart.lateStart { return decision.start }
        return max(decision.start, playhead)
    }

    /// Failures with the URLs that receive them, one per code.
    private static func failures(of result: ResolutionResult) -> [DecisionPart.Failure] {
        var failures: [DecisionPart.Failure] = []
        for pixel in result.pixels {
            if let index = failures.firstIndex(where: { $0.code == pixel.code }) {
                failures[index].urls.append(pixel.template)
            } else {
                let isWhole = result.failure?.code == pixel.code
                failures.append(
                    DecisionPart.Failure(
                        code: pixel.code,
                        message: isWhole ? result.failure?.message ?? "failed" : "an ad could not be resolved",
                        urls: [pixel.template], context: .error))
            }
        }
        if let failure = result.failure, !failures.contains(where: { $0.code == failure.code }) {
            failures.append(
                DecisionPart.Failure(code: failure.code, message: failure.message, urls: [], context: .error))
        }
        return failures
    }

    /// Passes the breaks of a decision to the tracker, reports errors and records the creative of each ad.
    private mutating func noteExcess(of events: [TrackingEvent], at now: Moment) {
        guard let event = events.first(where: { $0.extras[DecidedEvents.excess] != nil }) else { return }
        let count = event.extras[DecidedEvents.excess]?.integerValue ?? 0
        let finding = Finding(
            rule: VAST.LintRule.limitExceeded, severity: .warning,
            message: "\(event.rawName) has \(count) URLs; only the first \(DecidedEvents.urlsPerEvent) are used",
            section: "VAST-27")
        desk.noteFindings([finding], from: .decision, at: now)
    }

    private mutating func track(_ number: Int, _ creatives: [Ad: CreativeView], at now: Moment) {
        guard let decision = decisions.decisions[number] else { return }
        let breaks = decision.parts.map { $0.adBreak(of: decision) }
        guard let outcome = tracker?.placed(breaks, by: .vast, at: now) else { return }
        if let tracker { air.plan(tracker.book, tracker.dataRange) }
        take(outcome, at: now)
        views.metadataChanged()
        joinBreaks(at: now)
        let names = Set(decision.parts.map(\.name))
        for known in tracker?.book.breaks ?? [] where known.source == .vast && names.contains(known.name.text) {
            views.touch([known.id])
            for ad in known.ads where ad.presence == .present {
                if let creative = creatives[ad.ad] {
                    decisions.creatives[ad.id] = creative
                    decisions.decisions[number]?.ads.append(ad.id)
                }
                guard let code = ad.ad.notPlayed?.code, let outcome = tracker?.failed(ad.id, code: code, at: now) else {
                    continue
                }
                take(outcome, at: now)
            }
        }
        forgetCreatives(outcome.merge)
    }

    /// Drops the creatives of expired ads.
    private mutating func forgetCreatives(_ merge: MergeReport) {
        guard !merge.removedEvents.isEmpty, let tracker else { return }
        let known = Set(tracker.book.breaks.lazy.flatMap(\.ads).map(\.id))
        decisions.creatives = decisions.creatives.filter { known.contains($0.key) }
    }

    private mutating func describe(
        _ part: DecisionPart.Part, of decision: DecisionPart.Decision, _ result: ResolutionResult?, at now: Moment
    ) {
        let place = "break at \(Wording.clock(decision.start))"
        let took = Wording.took((now.uptime - decision.requestedAt.uptime).inMicroseconds)
        if let layout = part.layout, !layout.places.isEmpty {
            let length = Wording.seconds(layout.end)
            desk.note(
                .info, "\(place): \(layout.places.count.counted("ad")) of \(length) in \(took)", from: .ads,
                at: now)
        } else {
            let reasons = part.failures.map { "\($0.code) \($0.message)" }
            desk.note(
                .error, "\(place): no ad in \(took): \(reasons.first ?? "none of the ads can be played")", from: .ads,
                at: now)
            desk.activity.noteError(at: now)
        }
        if let layout = part.layout {
            desk.noteFindings(Self.repeatedCreatives(in: layout), from: .decision, at: now)
        }
        for loss in part.layout?.losses ?? [] {
            let finding = Finding(
                rule: SessionRule.adNotPlayed, severity: .warning,
                message: "Ad \(loss.ad.ad.id ?? "without id") \(loss.message) (\(loss.code))",
                path: loss.ad.ad.id, section: "VAST 4.3 2.3.6.3")
            desk.noteFindings([finding], from: .decision, at: now)
        }
    }

    /// Creatives that play more than once in one pod (L47).
    static func repeatedCreatives(in layout: PodLayout) -> [Finding] {
        var counts: [String: Int] = [:]
        for place in layout.places {
            guard let linear = place.ad.linears.first else { continue }
            let ids = linear.creative.universalAdIDs.map { "\($0.registry ?? "unknown") \($0.value)" }
            let files = linear.linear.mediaFiles
            let file = place.media.chosen.flatMap { files.indices.contains($0) ? files[$0].url : nil }
            guard let name = ids.first ?? file else { continue }
            counts[name, default: 0] += 1
        }
        return counts.filter { $0.value > 1 }.sorted { $0.key < $1.key }.map { name, count in
            LintRule.repeatedCreative.finding("the creative '\(name)' plays \(count) times in one break")
        }
    }

    // MARK: Breaks that turn out shorter, and skips

    /// A marker gives the end of its break, often only when the break ends.
    mutating func followBreakEnds(at now: Moment) {
        let reloads = playlist.follower.reloadCount
        guard !decisions.decisions.isEmpty, reloads != decisions.reloadsFollowed else { return }
        decisions.reloadsFollowed = reloads
        let marked = markedBreaks
        for number in decisions.numbers {
            guard let decision = decisions.decisions[number], let marker = decision.marker else { continue }
            guard let tracked = marked.last(where: { $0.number == marker }) else {
                withdraw(number, at: now)
                continue
            }
            guard let span = tracked.expectedLength else { continue }
            let length = max(.zero, span + (tracked.start.map { $0 - decision.start } ?? .zero))
            guard length != decision.length else { continue }
            decisions.decisions[number]?.length = length
            guard decision.isPlaced else { continue }
            cut(number, at: decision.start + length, at: now)
        }
    }

    /// The playlist took a break back. One that has begun is only listed no more.
    private mutating func withdraw(_ number: Int, at now: Moment) {
        guard let decision = decisions.decisions[number], let date = viewerDate(of: decision), date < decision.start,
            decision.length != .zero
        else { return }
        let message = "break at \(Wording.clock(decision.start)): withdrawn by the playlist; its ads are not played"
        desk.note(.warning, message, from: .ads, at: now)
        // An answer under way belongs to no break any more.
        guard decision.isPlaced else { return decisions.decisions[number] = nil }
        decisions.decisions[number]?.length = .zero
        for part in decision.parts.indices { decisions.decisions[number]?.parts[part].layout?.withdraw() }
        retrack(number, at: now)
    }

    /// A skipped ad is over: none of its later events happen (VAST-29).
    mutating func cutSkippedAd(_ id: AdID, at now: Moment) {
        guard let tracker, let date = playheadDate.map({ tracker.adTime(of: $0) }),
            let ad = tracker.book.breaks.lazy.filter({ $0.source == .vast }).flatMap(\.ads).first(where: {
                $0.id == id
            }),
            let number = decisions.numbers.first(where: { decisions.decisions[$0]?.ads.contains(id) == true })
        else { return }
        for part in decisions.decisions[number]?.parts.indices ?? 0..<0 {
            guard let start = decisions.decisions[number]?.parts[part].start,
                let index = decisions.decisions[number]?.parts[part].layout?.places.firstIndex(where: {
                    start + $0.offset == ad.start
                })
            else { continue }
            decisions.decisions[number]?.parts[part].layout?.cutPlace(index, to: date - ad.start)
        }
        retrack(number, at: now)
    }

    private mutating func cut(_ number: Int, at end: UnixTime, at now: Moment) {
        for part in decisions.decisions[number]?.parts.indices ?? 0..<0 {
            guard let start = decisions.decisions[number]?.parts[part].start else { continue }
            decisions.decisions[number]?.parts[part].layout?.cut(at: end - start)
        }
        retrack(number, at: now)
    }

    /// Places a break again after its layout changed; creatives are kept.
    private mutating func retrack(_ number: Int, at now: Moment) {
        guard let decision = decisions.decisions[number] else { return }
        var byName: [String: CreativeView] = [:]
        for known in tracker?.book.breaks.lazy.flatMap(\.ads) ?? [] where decision.ads.contains(known.id) {
            byName[known.name.text] = decisions.creatives[known.id]
        }
        var creatives: [Ad: CreativeView] = [:]
        for ad in decision.parts.flatMap({ $0.ads(values: decision.values) }) {
            creatives[ad.ad] = ad.ad.name.flatMap { byName[$0] }
        }
        track(number, creatives, at: now)
    }
}
