package import Ports
import VAST

/// One ad space and its ad: the state machine, the presenter that loads ads, and the behaviour of the format.
///
/// A pure value: inputs with their moments in, effects out. It reads no clock; ``nextDue`` is the next time at which it
/// must be woken.
package struct AdSlot: Sendable {
    /// The configuration of a slot.
    package struct Settings: Sendable, Hashable {
        package var profile = DeviceProfile.phone
        package var refresh = RefreshRate()
        package var rules = ViewingRules() { didSet { refresh.clamp = rules.refreshSeconds } }
        /// Time limit for the provider's answer, and below for wrappers and media.
        package var answerTime: Duration = .seconds(10)
        package var mediaTime: Duration = .seconds(60)
        /// Seed for cache busters and ids.
        package var seed: UInt64 = 0

        package init() {}
    }

    /// The loaded ad.
    package enum Content: Sendable {
        case none
        case surface(AdSurface, MRAIDContainer)
        case native(NativeAd)
        case rewarded(RewardedPlayer, PreparedMedia)
    }

    /// What a load is waiting for.
    enum Waiting: Sendable {
        case nothing, zone, provider
        case wrappers(WrapperResolution, AdPayload)
        case media(RewardedAd)
    }

    package let name: String
    package let provider: String
    package let settings: Settings
    package private(set) var config: AdConfig
    package var parameters: RequestParameters
    package let sizes: NamedSizes
    package internal(set) var machine: AdStateMachine
    package internal(set) var content = Content.none
    package internal(set) var visibility = VisibilityModel()
    package internal(set) var refresh = RefreshTimer()
    /// Why the last load failed; nil after a successful one.
    package internal(set) var error: AdError?
    /// Events of the current load in order, each once.
    package internal(set) var marks: [SlotMark] = []
    package internal(set) var viewed: [Viewability.Event] = []
    /// Number of loads so far.
    package internal(set) var loads = 0
    var presenter: any AdPresenter
    var viewability: Viewability?
    var waiting = Waiting.nothing
    /// Notices of the current load.
    var notices = AdNotices()
    /// Media from the zone store for the current load.
    var storedMedia: PreparedMedia?
    /// Uptime at which the load times out.
    var deadline: Duration?
    /// Requests of this load by number, and which of them are for wrappers.
    var requests: [Int: TagFetch?] = [:]
    var nextRequest = 1
    var random: SplitMix64
    /// Effects of the current input.
    var effects: [SlotEffect] = []

    package init(
        name: String, provider: String, presenter: any AdPresenter, config: AdConfig, parameters: RequestParameters,
        sizes: NamedSizes = NamedSizes(), settings: Settings = Settings()
    ) {
        self.name = name
        self.provider = provider
        self.presenter = presenter
        self.config = config
        self.parameters = parameters
        self.sizes = sizes
        self.settings = settings
        machine = AdStateMachine(format: config.format, impressionFraction: settings.rules.impressionFraction)
        random = SplitMix64(seed: settings.seed)
    }

    package var state: AdState { machine.state }
    package var format: AdFormat { config.format }
    /// The size of the ad, else the requested size.
    package var size: PixelSize? {
        switch content {
        case .surface(let surface, _): surface.size ?? config.size(sizes, on: settings.profile)
        case .rewarded(_, let media):
            media.width.flatMap { w in media.height.map { PixelSize(width: w, height: $0) } }
        case .native, .none: config.size(sizes, on: settings.profile)
        }
    }

    /// Applies `input` and returns the effects. Anything due earlier happens first.
    package mutating func apply(_ input: SlotInput, at now: Moment) -> [SlotEffect] {
        advance(to: now)
        take(input, at: now)
        defer { effects = [] }
        return effects
    }

    /// Uptime of the next automatic event; nil when there is none.
    package func nextDue(after uptime: Duration) -> Duration? {
        var dues = [deadline, refresh.due, viewability?.nextDue]
        if case .rewarded(let player, _) = content { dues.append(player.nextDue(after: uptime)) }
        return dues.compactMap(\.self).min()
    }

    private mutating func take(_ input: SlotInput, at now: Moment) {
        switch input {
        case .load: load(.load, at: now)
        case .reload: reload(at: now)
        case .show: show(at: now)
        case .click: click(at: now)
        case .dismiss: dismiss(at: now)
        case .removed: remove(at: now)
        case .replay: replay(at: now)
        case .pauseToggled: play(at: now) { $0.pauseToggled(at: now.uptime) }
        case .muteToggled: play(at: now) { $0.muteToggled(at: now.uptime) }
        case .shareVisible(let share): see(at: now) { $0.share = share }
        case .hidden(let flag): see(at: now) { $0.isHidden = flag }
        case .lifecycle(let event): see(at: now) { $0.take(event) }
        case .answered(let number, let exchange): answered(number, exchange, at: now)
        case .pluginSent(let message): take(presenter.take(.received(message)), at: now)
        case .pluginEnded(let how):
            let outputs = presenter.take(.ended(how))
            // A load that has already ended is not failed again.
            if case .provider = waiting { take(outputs, at: now) }
        case .zoneLookedUp(let zone): zoneLookedUp(zone, at: now)
        case .mediaPrepared(let media): mediaPrepared(media, at: now)
        case .mediaFailed(let code, let detail): mediaFailed(code, detail, at: now)
        case .woke: break
        }
    }

    private mutating func advance(to now: Moment) {
        if let deadline, deadline <= now.uptime { giveUp(at: now) }
        if let due = refresh.due, due <= now.uptime { refreshDue(at: now) }
        for event in viewability?.advance(to: now.uptime) ?? [] { viewable(event, at: now) }
        play(at: now) { $0.advance(to: now.uptime) }
    }

    /// Applies an input to the state machine and makes its calls.
    ///
    /// - Returns: whether the table allows the input.
    @discardableResult
    mutating func step(_ input: AdStateMachine.Input) -> Bool {
        let step = machine.apply(input)
        if let rejection = step.rejection {
            note(.warning, rejection)
            return false
        }
        if let remark = step.remark { note(.warning, remark) }
        for callback in step.callbacks {
            mark(callback)
            effects.append(.notify(callback))
        }
        return true
    }

    private mutating func mark(_ callback: AdCallback) {
        switch callback {
        case .adReceived: mark(.received)
        case .adWillPresentScreen: mark(.presented)
        case .stateChanged(.impressed):
            // The overlay of a video that cannot be played makes no impression, and none is billed.
            guard !isUnplayable else { break }
            mark(.impression)
            report(AdNotices.Name.billing, notices.billing)
            notices.billing = []
        case .adWillLeaveApp: mark(.click)
        case .adRewarded: mark(.reward)
        case .adWillDismissScreen: mark(.dismissed)
        case .stateChanged, .adLoaded, .adLoadFailed, .adFailedToReceive: break
        }
    }

    mutating func mark(_ mark: SlotMark) {
        if !marks.contains(mark) { marks.append(mark) }
    }

    mutating func note(_ severity: Severity, _ message: String) {
        effects.append(.note(severity, message))
    }

    mutating func report(_ event: String, _ urls: [String], isRepeatable: Bool = false) {
        guard !urls.isEmpty else { return }
        effects.append(.report(SlotReport(event, urls, isRepeatable: isRepeatable, load: loads)))
    }
}
