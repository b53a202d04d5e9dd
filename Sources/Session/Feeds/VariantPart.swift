import AdTracking
import HLS
import Ports

/// Selection of the variant, and failover to a redundant one or to one of another bandwidth (HLS-14, HLS-31).
extension PlaylistPart {
    /// Selects a variant from a multivariant playlist and requests it. Returns a clause if the playlist is of no use.
    mutating func select(
        from multivariant: MultivariantPlaylist, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment
    ) -> String? {
        guard choice == nil || wantsManifest else {
            return "received a multivariant playlist instead of a media playlist"
        }
        var newer: VariantChoice?
        do throws(VariantProblem) {
            newer = try VariantChoice(multivariant, wish: wish)
        } catch {
            // What is followed continues if it is still offered.
            guard choice != nil else { return error.explanation }
            desk.note(.warning, error.explanation, from: .playlist, at: now)
            newer = VariantChoice(multivariant)
        }
        guard let newer else { return "multivariant playlist without a usable variant" }
        take(newer, of: multivariant, &desk, at: now)
        // A repeated request during failures proves nothing: the media playlist decides.
        if follower.timeline.playlist == nil { _ = record.succeeded(exchange, at: now) }
        backOff.succeeded()
        fetchMedia(variantURL ?? newer.current.url, &desk, at: now)
        return nil
    }

    private mutating func take(
        _ newer: VariantChoice, of multivariant: MultivariantPlaylist, _ desk: inout Desk, at now: Moment
    ) {
        let before = variantURL
        if choice == nil { choice = newer } else { choice?.replaced(by: newer) }
        variantCount = multivariant.variants.count
        variables = multivariant.definitions
        if let current = choice?.current, current.url != before {
            let rate = current.variant.bandwidth.map { " \($0 / 1_000) kbit/s" } ?? ""
            let count = multivariant.variants.count
            desk.note(
                .info, "following the\(rate) variant (of \(count)): \(current.url.text)", from: .playlist, at: now)
            if before != nil { follower.variantChanged(to: current.url.text, at: now) }
        }
        steeringFound(multivariant.contentSteering, &desk, at: now)
    }

    /// A load failed: after two consecutive failures a redundant variant is used, and after definite refusals one of another
    /// bandwidth. True while further ones remain to be tried after those that refused in a row: then one more refusal proves
    /// nothing about the session.
    mutating func leaveFailedVariant(
        _ exchange: HTTPExchange, _ problem: String, _ desk: inout Desk, at now: Moment
    ) -> Bool {
        guard desk.configuration.following.isLenient, RenewalPart.isRefusal(exchange) else {
            guard let next = choice?.failed(at: now) else { return false }
            let pause = Self.asksForPause(exchange, at: next.url, now) ? follower.schedule.nextReload : nil
            follow(next, "the variant failed (\(problem))", .warning, after: pause, &desk, at: now)
            return false
        }
        let wasSearching = choice?.isSearching == true
        guard let refused = choice?.current, let next = choice?.refused(at: now) else { return false }
        desk.noteFindings([Self.finding(refused, problem, replacedBy: next)], from: .playlist, at: now)
        follow(next, "the variant was rejected (\(problem))", .warning, &desk, at: now)
        follower.tryAtOnce(at: now)
        return wasSearching
    }

    /// Whether the server of `url` asks for a pause, which then holds for its other variants too (RFC 9110 section 10.2.3).
    private static func asksForPause(_ exchange: HTTPExchange, at url: WebURL, _ now: Moment) -> Bool {
        let server = exchange.finalURL.flatMap { try? WebURL($0) }?.origin
        return server == url.origin && RetryAfter.delay(of: exchange, at: now) != nil
    }

    private static func finding(_ refused: VariantOption, _ problem: String, replacedBy next: VariantOption) -> Finding
    {
        Finding(
            rule: SessionRule.variantRefused, severity: .error,
            message: "variant \(refused.number) (\(refused.summary)) \(problem): following variant \(next.number) "
                + "(\(next.summary))", path: "variant \(refused.number)", section: "HLS-31")
    }

    /// A person wants another variant.
    mutating func choose(_ wish: VariantWish, _ desk: inout Desk, at now: Moment) {
        guard choice != nil else {
            let isSingle = follower.timeline.playlist != nil
            if !isSingle { self.wish = wish }
            let words = isSingle ? VariantWish.noVariants : "it is chosen when the playlist arrives"
            return desk.note(isSingle ? .warning : .info, "variant \(wish.shown): \(words)", from: .playlist, at: now)
        }
        let before = variantURL
        do throws(VariantProblem) {
            try choice?.choose(wish)
        } catch {
            return desk.note(.warning, error.explanation, from: .playlist, at: now)
        }
        self.wish = wish
        guard let next = choice?.current, next.url != before else {
            return desk.note(.info, "variant \(wish.shown): it is followed already", from: .playlist, at: now)
        }
        follow(next, "variant \(wish.shown) chosen", .info, &desk, at: now)
        plannedReload(at: now.uptime, now: now)
    }

    mutating func leaveStaleVariant(_ desk: inout Desk, at now: Moment) {
        guard let next = choice?.wentStale(at: now) else { return }
        follow(next, "the variant is stale", .warning, &desk, at: now)
    }

    /// After a pause the preferred variant is tried again with the next reload.
    mutating func returnToPreferredVariant(_ desk: inout Desk, at now: Moment) {
        guard let preferred = choice?.returned(at: now) else { return }
        follow(preferred, "back to the preferred variant", .info, &desk, at: now)
    }

    /// A blocking request that takes too long counts like an answer without news: it is a finding, and a redundant
    /// variant is used if there is one.
    mutating func noticeStaleness(_ desk: inout Desk, at now: Moment) {
        guard let due = staleAt, due <= now.uptime else { return }
        staleAt = nil
        desk.noteFindings(follower.schedule.staleness(at: now, timeline: follower.timeline), from: .playlist, at: now)
        guard let next = choice?.wentStale(at: now) else { return }
        follow(next, "the variant is stale", .warning, &desk, at: now)
    }

    /// Sends the next request to `option`; the state of the stream is kept. A pending answer for the previous variant
    /// is ignored.
    /// - Parameter start: when; nil is now.
    mutating func follow(
        _ option: VariantOption, _ reason: String, _ level: LogLevel, after start: Moment? = nil, _ desk: inout Desk,
        at now: Moment
    ) {
        follower.variantChanged(to: option.url.text, at: start ?? now)
        let pathway = option.variant.pathwayID.map { " on pathway \($0)" } ?? ""
        if let id = asked?.id, desk.requests.removeValue(forKey: id) != nil {
            staleAt = nil
            plannedReload(at: now.uptime, now: now)
        }
        asked = nil
        desk.note(
            level, "\(reason): following variant \(option.number)\(pathway), \(option.url.text)", from: .playlist,
            at: now)
    }
}
