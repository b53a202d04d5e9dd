import Ports
import VAST

/// Events of a loaded ad: visibility, show, click, close.
extension AdSlot {
    // MARK: Visibility

    mutating func see(at now: Moment, _ change: (inout VisibilityModel) -> Void) {
        let before = visibility
        change(&visibility)
        guard visibility != before else { return }
        if visibility.isVisible { refresh.resume(at: now.uptime) } else { refresh.pause(at: now.uptime) }
        viewability?.see(visibility.fraction, at: now.uptime)
        tellVisibility(at: now)
        let isHidden = !visibility.isVisible
        play(at: now) { $0.hidden(isHidden, at: now.uptime) }
    }

    /// A new ad that is already visible counts as visible from now.
    mutating func beginViewability(at now: Moment) {
        observe(asVideo: false, at: now)
        tellVisibility(at: now)
    }

    private mutating func observe(asVideo isVideo: Bool, at now: Moment) {
        var viewability = Viewability(isVideo: isVideo, size: size, rules: settings.rules, at: now.uptime)
        viewability.see(visibility.fraction, at: now.uptime)
        self.viewability = viewability
    }

    private mutating func tellVisibility(at now: Moment) {
        guard machine.isPresented, !isUnplayable else { return }
        let wasImpressed = state == .impressed || state == .clicked
        step(.visibility(visibility.fraction))
        if !wasImpressed, state == .impressed { impressed(at: now) }
        take(presenter.take(.visibility(visibility.fraction)), at: now)
        expose(percent: visibility.fraction * 100)
    }

    /// Whether it shows a video that cannot be played, of which nothing is seen.
    var isUnplayable: Bool {
        guard case .rewarded(let player, _) = content else { return false }
        if case .failed = player.status { return true }
        return player.phase == .failed
    }

    private mutating func impressed(at now: Moment) {
        guard case .native(var ad) = content else { return }
        let outcome = ad.trackImpression()
        content = .native(ad)
        tell("impression", outcome)
    }

    mutating func viewable(_ event: Viewability.Event, at now: Moment) {
        viewed.append(event)
        mark(.viewable)
        note(.info, "viewable: \(event.rawValue)")
        switch (content, event) {
        case (.native(var ad), .mrc50):
            let outcome = ad.trackViewable50()
            content = .native(ad)
            tell("viewable-mrc50", outcome)
        case (.native(var ad), .mrc100):
            let outcome = ad.trackViewable100()
            content = .native(ad)
            tell("viewable-mrc100", outcome)
        case (.rewarded(let player, let media), .video50):
            report(plan: "viewable", of: player, media, at: player.position(at: now.uptime))
        default: break
        }
    }

    private mutating func tell(_ event: String, _ outcome: NativeAd.Outcome) {
        switch outcome {
        case .due(let urls): report(event, urls)
        case .duplicate: note(.warning, "duplicate-\(event)")
        }
    }

    private mutating func expose(percent: Double) {
        guard case .surface(let surface, var container) = content, !surface.mraid.isEmpty else { return }
        let events = container.apply(.exposure(percent))
        content = .surface(surface, container)
        for event in events { note(.info, "mraid \(event.text)") }
    }

    // MARK: Banner and interstitial

    mutating func surfaceProvided(_ payload: AdPayload, at now: Moment) {
        if payload.isAddress, (try? WebURL(payload.text)) == nil {
            return fail(AdError(.internalError, "the surface's URL is not a web URL"), at: now)
        }
        guard payload.body.contains(where: { $0 > 0x20 }) else {
            return fail(AdError(.noFill, "the markup is empty"), at: now)
        }
        let size = payload.size ?? config.size(sizes, on: settings.profile)
        let surface = AdSurface(payload.isAddress ? .url(payload.text) : .html(payload.text), size: size)
        var container = MRAIDContainer(
            placement: format == .banner ? .inline : .interstitial, size: size ?? settings.profile.screen,
            screen: settings.profile.screen)
        if !surface.mraid.isEmpty {
            for event in container.apply(.loaded) { note(.info, "mraid \(event.text)") }
        }
        complete(.surface(surface, container), at: now)
        if format == .banner {
            refresh.start(
                settings.refresh.interval(of: payload), isVisible: visibility.isVisible, at: now.uptime)
        }
    }

    /// The refresh countdown of a banner ended; it runs only while the banner is visible.
    mutating func refreshDue(at now: Moment) {
        refresh.pause(at: now.uptime)
        // In `failed`, the table allows only `load`.
        load(state == .failed ? .load : .refreshDue, at: now)
        if state != .loading, refresh.due == nil { refresh.restart(isVisible: visibility.isVisible, at: now.uptime) }
    }

    // MARK: Native

    mutating func nativeProvided(_ payload: AdPayload, at now: Moment) {
        do {
            let markup = NativeMarkup(try JSONReader.read(payload.body), request: payload.nativeRequest)
            for warning in markup.warnings { note(.warning, warning) }
            complete(.native(try NativeAd(markup)), at: now)
        } catch let error as AdError {
            fail(error, at: now)
        } catch {
            fail(AdError(.internalError, "the native markup is not JSON"), at: now)
        }
    }

    // MARK: Show, click, close

    mutating func show(at now: Moment) {
        guard step(.show) else { return }
        take(presenter.take(.show), at: now)
        guard case .rewarded = content else {
            observe(asVideo: false, at: now)
            return expose(percent: visibility.fraction * 100)
        }
        observe(asVideo: true, at: now)
        let isHidden = !visibility.isVisible
        play(at: now) { $0.hidden(isHidden, at: now.uptime) + $0.started(at: now.uptime) }
    }

    mutating func click(at now: Moment) {
        guard step(.click) else { return }
        take(presenter.take(.click), at: now)
        switch content {
        case .native(let ad):
            let click = ad.openClick()
            report("clickTracking", click.trackers, isRepeatable: true)
            effects.append(.open(click.url))
        case .surface(let surface, _):
            if let url = surface.clickThrough { effects.append(.open(url)) } else { note(.info, "the ad has no link") }
        case .rewarded(let player, let media): clicked(player, media, at: now)
        case .none: break
        }
    }

    mutating func dismiss(at now: Moment) {
        guard case .rewarded(var player, let media) = content, machine.isPresented else { return close(at: now) }
        guard let outputs = player.closed(at: now.uptime) else {
            return note(.info, "the video cannot be closed yet")
        }
        content = .rewarded(player, media)
        take(outputs, at: now)
        close(at: now)
    }

    /// Removes the ad, whether or not it can be closed.
    mutating func remove(at now: Moment) {
        if case .rewarded(var player, let media) = content, machine.isPresented {
            let outputs = player.removed(at: now.uptime)
            content = .rewarded(player, media)
            take(outputs, at: now)
        }
        close(at: now)
    }

    mutating func close(at now: Moment) {
        guard step(.dismiss) else { return }
        viewability = nil
        refresh.stop()
        take(presenter.take(.dismiss), at: now)
    }
}
