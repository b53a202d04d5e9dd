import Ports
import VAST

/// Loading an ad: from `load` to `loaded` or `failed`.
extension AdSlot {
    /// `cause` is `load`, or `refreshDue` for the refresh of a banner.
    mutating func load(_ cause: AdStateMachine.Input, at now: Moment) {
        guard step(cause) else { return }
        loads += 1
        (marks, viewed, error) = ([], [], nil)
        (content, viewability) = (.none, nil)
        (waiting, requests, storedMedia) = (.nothing, [:], nil)
        notices = AdNotices()
        refresh.pause(at: now.uptime)
        if let problem = config.problem { return fail(problem, at: now) }
        if let name = config.sizeName, config.size == nil, sizes.size(of: name, on: settings.profile) == nil {
            return fail(AdError(.invalidRequest, "unknown size '\(name)'"), at: now)
        }
        deadline = now.uptime + settings.answerTime
        if format == .rewarded {
            waiting = .zone
            effects.append(.lookUpZone(config.unit))
        } else {
            ask(at: now)
        }
    }

    mutating func ask(at now: Moment) {
        waiting = .provider
        take(presenter.take(.load(config, parameters)), at: now)
    }

    /// Performs the actions of a presenter and handles its results.
    mutating func take(_ outputs: [PresenterOutput], at now: Moment) {
        for output in outputs {
            switch output {
            case .fetch(let request): fetch(request, for: nil)
            case .tell(let message): effects.append(.tell(message))
            case .loaded(let payload): provided(payload, at: now)
            case .failed(let error): refused(error, at: now)
            case .state(let state): believed(state, at: now)
            case .reward(let reward): rewarded(reward)
            }
        }
    }

    mutating func fetch(_ request: HTTPRequest, for tag: TagFetch?) {
        let number = nextRequest
        nextRequest += 1
        requests[number] = .some(tag)
        var request = request
        // Without a network connection, an ad call fails without being sent (FMT-4).
        request.needsInterface = true
        effects.append(.fetch(number, request))
    }

    mutating func answered(_ number: Int, _ exchange: HTTPExchange, at now: Moment) {
        // Answers to an earlier load are ignored.
        guard let tag = requests.removeValue(forKey: number) else { return }
        if let tag { return wrapperAnswered(tag, exchange, at: now) }
        take(presenter.take(.answered(exchange)), at: now)
    }

    private mutating func provided(_ payload: AdPayload, at now: Moment) {
        guard case .provider = waiting else {
            // The state table decides about an answer that no load is waiting for.
            if state != .loading { step(.providerSuccess) } else { note(.warning, "a second answer was ignored") }
            return
        }
        guard payload.body.count <= AdPayload.maximumBytes else {
            return fail(
                AdError(.internalError, "the answer is longer than \(AdPayload.maximumBytes >> 20) MiB"), at: now)
        }
        if let remark = payload.remark { note(.warning, remark) }
        notices = payload.notices
        switch format {
        case .banner, .interstitial: surfaceProvided(payload, at: now)
        case .native: nativeProvided(payload, at: now)
        case .rewarded: documentProvided(payload, at: now)
        }
    }

    private mutating func refused(_ error: AdError, at now: Moment) {
        guard case .provider = waiting else {
            if state != .loading { step(.providerFailure(error.reason)) }
            return
        }
        fail(error, at: now)
    }

    /// The state that a plugin reports is an input like any other; it cannot cause impressions (FMT-25).
    private mutating func believed(_ state: AdState, at now: Moment) {
        switch state {
        case .clicked: click(at: now)
        case .closed: remove(at: now)
        case .failed where machine.state == .loading: refused(AdError(.internalError, "the plugin failed"), at: now)
        case .failed: step(.showFailure)
        case .uninitialized, .loading, .loaded, .impressed:
            if state != machine.state {
                note(.warning, "rejected the plugin's state \(state.rawValue) in \(machine.state.rawValue)")
            }
        }
    }

    private mutating func rewarded(_ reward: Reward) {
        machine.reward = machine.reward ?? reward
        step(.rewardEarned)
    }

    /// Sets the loaded ad.
    mutating func complete(_ content: Content, at now: Moment) {
        self.content = content
        (waiting, deadline) = (.nothing, nil)
        report(AdNotices.Name.win, notices.win)
        report(AdNotices.Name.loss, notices.loss)
        step(.providerSuccess)
        if !format.isFullScreen { beginViewability(at: now) }
    }

    mutating func fail(_ error: AdError, at now: Moment) {
        (waiting, deadline, requests) = (.nothing, nil, [:])
        self.error = error
        note(.error, "\(error.reason.word): \(error.detail)")
        step(.providerFailure(error.reason))
        // A failed refresh is retried at the last interval (FMT-12).
        if format == .banner { refresh.restart(isVisible: visibility.isVisible, at: now.uptime) }
    }

    mutating func giveUp(at now: Moment) {
        deadline = nil
        switch waiting {
        case .nothing: break
        case .zone: zoneLookedUp(nil, at: now)
        case .provider:
            fail(AdError(.internalError, "no answer within \(settings.answerTime.text)"), at: now)
        case .wrappers(var resolution, let payload):
            resolution.timedOut()
            waiting = .wrappers(resolution, payload)
            resolved(at: now)
        case .media:
            mediaFailed(402, "the video was not loaded within \(settings.mediaTime.text)", at: now)
        }
    }

    mutating func reload(at now: Moment) {
        if format != .banner, machine.isPresented { remove(at: now) }
        load(.load, at: now)
    }
}
