import Ports
import VAST

/// Rewarded video: zone store, document, wrappers, video, playback, end card (FMT-16).
extension AdSlot {
    // MARK: Loading

    /// Whether it waits for the zone store to look up that unit.
    package func isLookingUp(_ unit: String) -> Bool {
        if case .zone = waiting { config.unit == unit } else { false }
    }

    /// Whether it waits for the answer to that request, which a wrapper named.
    package func isWrapper(_ number: Int) -> Bool { (requests[number] ?? nil) != nil }

    mutating func zoneLookedUp(_ zone: StoredZone?, at now: Moment) {
        guard case .zone = waiting else { return }
        deadline = now.uptime + settings.answerTime
        guard let zone else { return ask(at: now) }
        note(.info, "the zone store has the unit; no ad call is made")
        storedMedia = zone.media
        waiting = .provider
        documentProvided(
            AdPayload(body: zone.response, contentType: "application/xml", url: zone.sourceURL), at: now)
    }

    mutating func documentProvided(_ payload: AdPayload, at now: Moment) {
        deadline = now.uptime + settings.answerTime
        var resolution = WrapperResolution(
            tag: payload.url ?? "", values: macroValues(at: now), seed: random.next())
        let fetches = resolution.start(with: payload.body, url: payload.url, charset: payload.charset)
        waiting = .wrappers(resolution, payload)
        for fetch in fetches { follow(fetch) }
        resolved(at: now)
    }

    private mutating func follow(_ tag: TagFetch) {
        let request = tag.request(
            TagRequestSettings(userAgent: parameters.userAgent), timeout: settings.answerTime)
        fetch(request, for: tag)
    }

    mutating func wrapperAnswered(_ tag: TagFetch, _ exchange: HTTPExchange, at now: Moment) {
        guard case .wrappers(var resolution, let payload) = waiting else { return }
        let fetches = resolution.answered(tag.id, with: TagAnswer(exchange, to: tag))
        waiting = .wrappers(resolution, payload)
        for fetch in fetches { follow(fetch) }
        resolved(at: now)
    }

    /// Continues when every wrapper is resolved.
    mutating func resolved(at now: Moment) {
        guard case .wrappers(let resolution, let payload) = waiting, resolution.isFinished else { return }
        let result = resolution.result
        for entry in result.errorReports { report("error", [entry.pixel.url]) }
        var problem: AdError?
        for candidate in result.ads {
            do throws(AdError) {
                let ad = try RewardedAd(candidate, bid: payload.rewardRules, screen: settings.profile.screen)
                return prepare(ad, payload, at: now)
            } catch {
                report(errors: candidate, code: RewardedAd.errorCode(of: candidate))
                problem = problem ?? error
            }
        }
        fail(problem ?? Self.emptiness(result), at: now)
    }

    /// Why a document has no ad.
    private static func emptiness(_ result: ResolutionResult) -> AdError {
        let failure = result.failure
        let detail = failure.map { "VAST error \($0.code): the document \($0.message)" } ?? "no ad"
        return AdError(failure?.code == 303 ? .noFill : .internalError, detail)
    }

    private mutating func prepare(_ ad: RewardedAd, _ payload: AdPayload, at now: Moment) {
        for warning in ad.rules.warnings { note(.warning, warning) }
        waiting = .media(ad)
        if let stored = storedMedia { return mediaPrepared(stored.described(by: ad.files), at: now) }
        deadline = now.uptime + settings.mediaTime
        effects.append(.prepareMedia(order(ad, payload)))
    }

    /// The store keeps the document without its header.
    private func order(_ ad: RewardedAd, _ payload: AdPayload) -> MediaOrder {
        MediaOrder(
            unit: config.unit, response: DecodedText.standalone(payload.body, charset: payload.charset),
            sourceURL: payload.url ?? "",
            files: ad.files.map {
                MediaCandidate(
                    url: $0.url, type: $0.type, delivery: $0.delivery, bitrate: $0.bitrate ?? $0.maximumBitrate,
                    width: $0.width, height: $0.height)
            })
    }

    /// Largest difference in milliseconds between file and document: encoders round to frames, documents to seconds.
    private static let durationTolerance: UInt64 = 1_000

    mutating func mediaPrepared(_ media: PreparedMedia, at now: Moment) {
        guard case .media(let ad) = waiting else { return }
        machine.reward = ad.rules.reward
        if let own = media.fileDuration, own.subtractingSaturating(ad.duration).magnitude > Self.durationTolerance {
            let (file, document) = (Duration.milliseconds(own).text, Duration.milliseconds(ad.duration).text)
            note(.warning, "the file lasts \(file), the document states \(document)")
        }
        switch media.status {
        case .readyToPlay: break
        case .unknown: note(.warning, "unknown whether the file can be played; the ad can be closed at any time")
        case .failed(let why): note(.error, "the video cannot be played: \(why)")
        }
        complete(.rewarded(RewardedPlayer(ad, status: media.status), media), at: now)
    }

    mutating func mediaFailed(_ code: Int, _ detail: String, at now: Moment) {
        guard case .media(let ad) = waiting else { return }
        report(errors: ad.resolved, code: code)
        fail(AdError(.internalError, "VAST error \(code): \(detail)"), at: now)
    }

    // MARK: Playback

    /// Calls a method of the player and handles its outputs.
    mutating func play(at now: Moment, _ act: (inout RewardedPlayer) -> [RewardedPlayer.Output]) {
        guard case .rewarded(var player, let media) = content else { return }
        let outputs = act(&player)
        content = .rewarded(player, media)
        take(outputs, at: now)
    }

    mutating func take(_ outputs: [RewardedPlayer.Output], at now: Moment) {
        guard case .rewarded(let player, let media) = content else { return }
        for output in outputs {
            switch output {
            case .event(.impression, _): report(plan: "impression", of: player, media, at: 0)
            case .event(.named(let name), let time): report(plan: name.rawValue, of: player, media, at: time)
            case .event(.progress(let point), let time):
                report(progress: point.milliseconds(ofDuration: player.ad.duration), of: player, media, at: time)
            case .event(.error(let code), _):
                // A video that does not play is not seen.
                viewability = nil
                report(errors: player.ad.resolved, code: code)
            case .endCardShown:
                report(
                    card(player)?.tracking.filter { $0.event == EventName.creativeView.rawValue }.map(\.url) ?? [],
                    as: "companionView", of: player, media)
            case .rewardEarned:
                if machine.reward == nil { note(.info, "the ad grants no reward") } else { step(.rewardEarned) }
            case .closed: close(at: now)
            }
        }
    }

    mutating func replay(at now: Moment) {
        guard case .rewarded(var player, let media) = content, machine.isPresented else {
            return note(.info, "the slot has no video to replay")
        }
        guard player.replayed(at: now.uptime) else { return note(.info, "the video has not ended yet") }
        content = .rewarded(player, media)
    }

    mutating func clicked(_ player: RewardedPlayer, _ media: PreparedMedia, at now: Moment) {
        if player.phase == .endCard, let card = card(player) {
            report(card.clickTracking.map(\.url), as: "companionClickTracking", of: player, media, isRepeatable: true)
            if let url = card.clickThrough?.url ?? player.ad.clickThrough { effects.append(.open(url)) }
            return
        }
        report(
            plan: "clickTracking", of: player, media, at: player.position(at: now.uptime), isRepeatable: true)
        if let url = player.ad.clickThrough { effects.append(.open(url)) }
    }

    private func card(_ player: RewardedPlayer) -> VASTDocument.Companion? { player.ad.endCard?.companion }

    // MARK: Reports

    /// Reports an event of the plan. An event without URLs is not reported (FMT-16).
    mutating func report(
        plan event: String, of player: RewardedPlayer, _ media: PreparedMedia, at time: Int64,
        isRepeatable: Bool = false
    ) {
        let isUser = EventName(rawValue: event)?.cause == .user && event != EventName.skip.rawValue
        let entries = player.ad.plan.events
        // An event that was renamed has its former name in a document of that version (VAST-8).
        let names = [event] + (EventName(rawValue: event)?.aliases.map(\.rawValue) ?? [])
        let name = names.first { name in entries.contains { $0.name == name } }
        for entry in entries where entry.name == name {
            let context = entry.urls.first?.context ?? .tracking
            effects.append(
                .report(
                    SlotReport(
                        event, entry.urls.map(\.template), context: context, values: values(player, media),
                        adTime: time, isRepeatable: isRepeatable || isUser, load: loads)))
        }
    }

    private mutating func report(
        progress point: Int64?, of player: RewardedPlayer, _ media: PreparedMedia, at time: Int64
    ) {
        let names = [EventName.progress.rawValue, EventName.timeSpentViewing.rawValue]
        for entry in player.ad.plan.events where names.contains(entry.name) && entry.atMilliseconds == point {
            effects.append(
                .report(
                    SlotReport(
                        "\(entry.name) \(entry.offset ?? "")", entry.urls.map(\.template),
                        values: values(player, media),
                        adTime: time, load: loads)))
        }
    }

    private mutating func report(
        _ urls: [String], as event: String, of player: RewardedPlayer, _ media: PreparedMedia,
        isRepeatable: Bool = false
    ) {
        guard !urls.isEmpty else { return }
        effects.append(
            .report(
                SlotReport(event, urls, values: values(player, media), isRepeatable: isRepeatable, load: loads)))
    }

    private mutating func report(errors ad: ResolvedAd, code: Int) {
        let urls = ad.errors.map(\.value.url)
        guard !urls.isEmpty else { return }
        effects.append(
            .report(
                SlotReport(
                    "error", urls, context: .error, values: ad.fill(MacroValues()), errorCode: code,
                    load: loads)))
    }

    private func values(_ player: RewardedPlayer, _ media: PreparedMedia) -> MacroValues {
        player.ad.resolved.fill(baseValues, assetURL: media.url)
    }

    private func macroValues(at now: Moment) -> MacroValues {
        var values = baseValues
        values[.timestamp] = .timestamp(now.wall)
        return values
    }

    private var baseValues: MacroValues {
        var values = MacroValues()
        values[.clientUA] = .text(parameters.userAgent)
        values[.deviceUA] = .text(parameters.userAgent)
        values[.playerSize] = .numbers([settings.profile.screen.width, settings.profile.screen.height])
        values[.limitAdTracking] = .flag(parameters.limitsTracking)
        values[.serverSide] = .number(0)
        values[.ifa] = .text(parameters.advertisingID)
        return values
    }
}
