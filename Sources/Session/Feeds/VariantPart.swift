import AdTracking
import HLS
import Ports

/// Selection of the variant, and failover to a redundant one or to one of another bandwidth (HLS-14, HLS-31).
extension PlaylistPart {
    /// Selects a variant from a multivariant playlist and requests it. Returns a clause if the playlist is of no use.
    mutating func select(
        from multivariant: MultivariantPlaylist, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment
    ) -> String? {
        if let problem = take(multivariant, &desk, at: now) { return problem }
        // A repeated request during failures proves nothing: the media playlist decides.
        if follower.timeline.playlist == nil { _ = record.succeeded(exchange, at: now) }
        backOff.succeeded()
        if let variantURL { fetchMedia(variantURL, &desk, at: now) }
        return nil
    }

    /// Follows a variant of a multivariant playlist: the same as before if it is still listed. Returns a clause if none can be.
    mutating func take(
        _ multivariant: MultivariantPlaylist, _ desk: inout Desk, at now: Moment
    ) -> String? {
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
        return nil
    }

    private mutating func take(
        _ newer: VariantChoice, of multivariant: MultivariantPlaylist, _ desk: inout Desk, at now: Moment
    ) {
        let before = variantURL
        if choice == nil { choice = newer } else { choice?.replaced(by: newer) }
        // What the steering server wants outlasts a newer playlist that names the same server (rfc8216bis-22 section 7).
        let isSameServer = multivariant.contentSteering?.serverURI == steering.serverURI
        if rereadsManifest, isSameServer, let manifest = steering.manifest {
            _ = choice?.steered(by: manifest, at: now)
        }
        variantCount = multivariant.variants.count
        variables = multivariant.definitions
        follower.startFound(multivariant.start)
        if let current = choice?.current, current.url != before {
            let rate = current.variant.bandwidth.map { " \(($0 / 1_000).grouped) kbit/s" } ?? ""
            let count = multivariant.variants.count
            desk.note(
                .info, "following the\(rate) variant (of \(count)): \(current.url.text)", from: .playlist, at: now)
            if before != nil { follower.variantChanged(to: current.url.text, at: now) }
        }
        steeringFound(multivariant.contentSteering, &desk, at: now)
    }

    /// What the failed load of a variant means for the stream.
    enum FailedLoad {
        /// It is a failure of the stream.
        case counts
        /// Further variants remain to be tried after those that refused in a row: one more refusal proves nothing about the
        /// session.
        case isSearch
        /// The variant was refused before, and the one that took its place continues.
        case isTry
    }

    /// A load failed: after two consecutive failures a redundant variant is used, and after definite refusals, or when the stream is stuck, one
    /// of another bandwidth.
    mutating func leaveFailedVariant(
        _ exchange: HTTPExchange, _ problem: String, _ desk: inout Desk, at now: Moment
    ) -> FailedLoad {
        guard desk.configuration.following.isLenient, isRefusal(exchange) else {
            let isStuck = isStuck(at: now)
            guard let next = choice?.failed(at: now, isStuck: isStuck) else { return .counts }
            let pause = Self.asksForPause(exchange, at: next.url, now) ? follower.schedule.nextReload : paceOfOthers
            follow(next, "the variant failed (\(problem))", .warning, after: pause, &desk, at: now)
            return .counts
        }
        let wasSearching = choice?.isSearching == true
        let isTry = rereadsManifest && choice?.triesRefused == true && !record.isFailing
        guard let refused = choice?.current, let next = choice?.refused(at: now) else {
            noteDoubt(&desk, at: now)
            return .counts
        }
        desk.noteFindings([Self.finding(refused, problem, replacedBy: next)], from: .playlist, at: now)
        follow(next, "the variant was rejected (\(problem))", .warning, &desk, at: now)
        follower.tryAtOnce(at: now)
        return wasSearching ? .isSearch : isTry ? .isTry : .counts
    }

    /// Whether an answer rejects the variant. One that is a page was never followed: a server without the file may answer so.
    private func isRefusal(_ exchange: HTTPExchange) -> Bool {
        if RenewalPart.isRefusal(exchange) { return true }
        return isNoFirstPlaylist(exchange) || choice?.triesRefused == true && Self.isOfAnotherKind(exchange)
    }

    /// Whether no playlist was ever read, and the answer has something else. Once one has arrived, an answer without one may pass.
    func isNoFirstPlaylist(_ exchange: HTTPExchange) -> Bool {
        follower.timeline.playlist == nil && Self.isOfAnotherKind(exchange)
    }

    /// Whether a good answer is a page, an error in words or nothing. A stream in DASH has no playlist in any session.
    private static func isOfAnotherKind(_ exchange: HTTPExchange) -> Bool {
        exchange.isSuccess && [.webPage, .json, .empty, .notAPlaylist].contains(OpeningProblem(exchange))
    }

    private func noteDoubt(_ desk: inout Desk, at now: Moment) {
        guard rereadsManifest, let choice, choice.doubtsAddress else { return }
        let message =
            "the multivariant playlist ends in the address of variant \(choice.current.number) and may be cut: "
            + "reading it again"
        desk.note(.warning, message, from: .playlist, at: now)
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
        let isStuck = isStuck(at: now)
        guard let next = choice?.wentStale(at: now, isStuck: isStuck) else { return }
        follow(next, "the variant is stale", .warning, after: paceOfOthers, &desk, at: now)
    }

    /// Whether there was no new media for so long that a variant of another bandwidth is better than none. Recordings of earlier versions
    /// waited for it.
    private func isStuck(at now: Moment) -> Bool {
        let due = rereadsManifest ? follower.schedule.stuckUptime(timeline: follower.timeline) : nil
        return due.map { $0 <= now.uptime } ?? false
    }

    /// When a variant of another bandwidth is requested: there may be many, and the server of all may be away. Nil for one that is as good.
    private var paceOfOthers: Moment? { choice?.hasSteppedDown == true ? follower.schedule.nextReload : nil }

    /// After a pause the preferred variant is tried again with the next reload.
    mutating func returnToPreferredVariant(_ desk: inout Desk, at now: Moment) {
        guard let preferred = choice?.returned(at: now) else { return }
        follow(preferred, "back to the preferred variant", .info, &desk, at: now)
    }

    /// A request that takes too long counts like an answer without news: it is a finding, and another variant is used if
    /// there is one.
    mutating func noticeStaleness(_ desk: inout Desk, at now: Moment) {
        guard let due = staleAt, due <= now.uptime else { return }
        staleAt = nil
        desk.noteFindings(follower.schedule.staleness(at: now, timeline: follower.timeline), from: .playlist, at: now)
        let isStuck = isStuck(at: now)
        guard let next = choice?.wentStale(at: now, isStuck: isStuck) else { return }
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
        abandonRequest(&desk, at: now)
        desk.note(
            level, "\(reason): following variant \(option.number)\(pathway), \(option.url.text)", from: .playlist,
            at: now)
    }

    /// Another playlist is requested at once in place of the one that is awaited.
    private mutating func abandonRequest(_ desk: inout Desk, at now: Moment) {
        if let id = asked?.id, desk.requests.removeValue(forKey: id) != nil {
            staleAt = nil
            plannedReload(at: now.uptime, now: now)
        }
        asked = nil
    }
}

/// The multivariant playlist is read again before a variant is tried again that the server refused (HLS-31).
extension PlaylistPart {
    /// Requests it if it is time for that, beside the playlist of the variant that is followed. Returns whether the refused
    /// variant has to wait for it.
    mutating func reviewIfDue(_ manifest: WebURL, _ desk: inout Desk, at now: Moment) -> Bool {
        guard rereadsManifest, choice?.wantsReview(at: now) == true else { return false }
        if review == nil { review = desk.fetch(.multivariant, manifest, limit: Limits.playlistBytes, at: now) }
        return true
    }

    /// It was answered. Whatever is wrong with the answer, the variant that is followed continues.
    mutating func reviewed(_ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        review = nil
        let followed = variantURL
        if let problem = reviewProblem(exchange, &desk, at: now) {
            choice?.reviewFailed(at: now)
            return desk.note(.debug, "multivariant playlist: \(problem)", from: .playlist, at: now)
        }
        if variantURL != followed { abandonRequest(&desk, at: now) }
    }

    private mutating func reviewProblem(
        _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment
    ) -> String? {
        guard exchange.isSuccess else { return Wording.problem(exchange) }
        let parsed = read(exchange, isStrict: !desk.configuration.following.isLenient)
        guard let multivariant = parsed.multivariant else { return "not a multivariant playlist" }
        desk.noteFindings(parsed.findings, from: .playlist, at: now)
        return take(multivariant, &desk, at: now)
    }
}
