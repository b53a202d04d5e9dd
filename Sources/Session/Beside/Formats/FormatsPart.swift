import AdFormats
import AdTracking
import CreativeCache
import Ports

/// The ad spaces of a session: slots, their requests and their beacons.
struct FormatsPart {
    /// A request of a slot.
    struct Call {
        var slot: Int
        /// The slot's number of the call.
        var number: Int
        var request: HTTPRequest
    }

    /// A video being downloaded.
    struct Download {
        var slot: Int
        var order: MediaOrder
        var rendition: Rendition
        var quality: Quality
    }

    /// A loaded video with its answer (CACHE-15), kept while the process lives.
    struct Kept {
        var zone: StoredZone
        var at: Duration
        var row: ZoneRow
    }

    /// A beacon that is shown.
    struct Told {
        var event: EventID
        var name: String
        var urls: [String]
        var at: UnixTime
    }

    /// Maximum number of beacons kept per slot, newest last.
    static let toldKept = 40
    /// Maximum number of answers kept for zones.
    static let zonesKept = 32
    /// Bytes received of a video: playback follows the clock, nothing is decoded.
    static let mediaBytes = 64 << 10

    var slots: [AdSlot] = []
    /// The plugin that fills each ad space; nil for built-in ones.
    var pluginOfSlot: [String?] = []
    /// Parameters of the device, for the ad server and plugins.
    var parameters: RequestParameters
    var told: [[Told]] = []
    /// Waiting ad calls: a server receives one call at a time (FMT-4).
    var queue: [Call] = []
    var current: (id: RequestID, call: Call)?
    var downloads: [RequestID: Download] = [:]
    var zones: [String: Kept] = [:]
    var lastDownload: DownloadMeasurement?
    /// Whether zones are kept outside the session, which is informed of them.
    let keepsZones: Bool
    var keptRows: [ZoneRow] = []
    /// Number of loads that each zone served.
    var zoneHits: [String: Int] = [:]
    /// Number of orders so far, followed by those in progress.
    var orders = 0
    var ordered: [Int: Download] = [:]
    var ledger: Ledger
    /// Reports that wait for the journal.
    var waiting: [(slot: Int, report: SlotReport, at: Moment)] = []
    var nextEvent = 1
    var isUp: Bool?
    var isHidden = false

    init(
        _ configuration: FormatsConfiguration?, mode: ReportingMode, gate: SendGate, retry: RetryPolicy = .safe,
        seed: UInt64
    ) {
        var seeds = SplitMix64(seed: seed)
        keepsZones = configuration?.keepsZones ?? false
        ledger = Ledger(mode: mode, gate: gate, retry: retry, seed: seeds.next(), owner: .adSpace)
        parameters = RequestParameters(
            profile: DeviceProfile(configuration?.device ?? .phone), version: configuration?.version ?? "")
        // The configuration has rejected invalid parameters.
        for parameter in configuration?.parameters ?? [] { try? parameters.set(parameter.name, to: parameter.value) }
        guard let configuration else { return }
        var builtIn: [String: any AdPlugin] = [:]
        for plugin in configuration.builtIn {
            // The configuration has rejected unknown plugins.
            builtIn[plugin.identifier] = try? AdPluginRegistry.complete.plugin(
                plugin.identifier, configuration: plugin.configuration)
        }
        let server = configuration.adServer.map { AdServerPlugin(endpoint: $0) }
        for slot in configuration.slots {
            var settings = AdSlot.Settings()
            settings.profile = parameters.profile
            settings.refresh = RefreshRate(fields: configuration.refreshFields)
            settings.rules = configuration.rules
            settings.seed = seeds.next()
            // Calls of one ad server wait for each other, so each gets more time than one call takes.
            settings.answerTime = Limits.requestTimeout * (slot.plugin == nil ? max(2, configuration.slots.count) : 1)
            let plugin = configuration.plugins.first { $0.manifest.identifier == slot.plugin }
            add(slot, plugin, slot.plugin.map { builtIn[$0] } ?? server, settings)
        }
    }

    /// Adds a slot. A slot whose format its plugin does not declare is omitted; the configuration reports it.
    private mutating func add(
        _ slot: FormatsConfiguration.Slot, _ plugin: SubprocessPlugin?, _ own: (any AdPlugin)?,
        _ settings: AdSlot.Settings
    ) {
        let presenter =
            plugin == nil
            ? try? own?.makePresenter(slot: slot.name, format: slot.format)
            : try? plugin?.makePresenter(slot: slot.name, format: slot.format)
        guard let presenter else { return }
        slots.append(
            AdSlot(
                name: slot.name, provider: plugin?.manifest.identifier ?? own?.providerName ?? "", presenter: presenter,
                config: AdConfig(
                    unit: slot.unit, format: slot.format, placement: slot.placement, sizeName: slot.sizeName),
                parameters: parameters, sizes: plugin?.manifest.sizes ?? NamedSizes(), settings: settings)
        )
        pluginOfSlot.append(plugin?.manifest.identifier)
        told.append([])
    }

    /// Uptime of the next change without an input.
    func nextDue(after uptime: Duration) -> Duration? {
        (slots.map { $0.nextDue(after: uptime) } + [ledger.nextRetry]).compactMap(\.self).min()
    }

    func slots(ofPlugin identifier: String) -> [Int] { pluginOfSlot.indices.filter { pluginOfSlot[$0] == identifier } }
}

/// Inputs of the ad spaces of a session.
extension Beside {
    mutating func formatsStarted(_ desk: inout Desk, at now: Moment) {
        for index in formats.slots.indices { apply(.load, to: index, &desk, at: now) }
    }

    mutating func formatActed(_ name: String, _ action: FormatAction, _ desk: inout Desk, at now: Moment) {
        if case .hidden(let flag) = action {
            formats.isHidden = flag
            for index in formats.slots.indices { apply(.hidden(flag), to: index, &desk, at: now) }
            return
        }
        if case .turned(let orientation) = action {
            formats.parameters.orientation = orientation
            for index in formats.slots.indices { formats.slots[index].parameters.orientation = orientation }
            return
        }
        if case .lifecycle(let event) = action {
            for index in formats.slots.indices { apply(.lifecycle(event), to: index, &desk, at: now) }
            return
        }
        guard let index = formats.slots.firstIndex(where: { $0.name == name }) else {
            return desk.note(.warning, "no ad space '\(name)'", from: .formats, at: now)
        }
        if let input = SlotInput(action) { apply(input, to: index, &desk, at: now) }
    }

    /// Advances the slots that are due.
    mutating func formatsIfDue(_ desk: inout Desk, at now: Moment) {
        for index in formats.slots.indices {
            // Several steps may be due, each following from the one before.
            var rounds = 0
            while let due = formats.slots[index].nextDue(after: now.uptime), due <= now.uptime, rounds < 8 {
                apply(.woke, to: index, &desk, at: now)
                rounds += 1
            }
        }
        if let due = formats.ledger.nextRetry, due <= now.uptime {
            retryFormatBeacons(&desk, at: now)
        }
    }

    mutating func apply(_ input: SlotInput, to index: Int, _ desk: inout Desk, at now: Moment) {
        for effect in formats.slots[index].apply(input, at: now) { perform(effect, of: index, &desk, at: now) }
    }

    private mutating func perform(_ effect: SlotEffect, of index: Int, _ desk: inout Desk, at now: Moment) {
        let name = formats.slots[index].name
        switch effect {
        case .fetch(let number, var request):
            // The ad server was typed by a person; a wrapper's tag is judged like a beacon.
            if formats.slots[index].isWrapper(number) { request.addressRule = desk.beaconGate.addressRule }
            formats.queue.append(FormatsPart.Call(slot: index, number: number, request: request))
            callNext(&desk, at: now)
        case .lookUpZone(let unit): lookUpZone(unit, for: index, &desk, at: now)
        case .prepareMedia(let order): download(order, for: index, &desk, at: now)
        case .report(let report): tell(report, of: index, &desk, at: now)
        case .notify(.stateChanged(let state)): desk.note(.info, "\(name): \(state.rawValue)", from: .formats, at: now)
        case .notify(.adRewarded(let reward)):
            desk.note(.info, "\(name): rewarded with \(reward.amount) \(reward.name)", from: .formats, at: now)
        case .open(let url):
            desk.note(.info, "\(name): click opens \(url)", from: .formats, at: now)
            desk.request(.openURL(url))
        case .note(let severity, let text): desk.note(LogLevel(severity), "\(name): \(text)", from: .formats, at: now)
        case .tell(let message):
            let plugin = formats.pluginOfSlot[index].flatMap { plugins.index(of: $0) }
            if let plugin { sendToPlugin(plugin, message, &desk, at: now) }
        // Its other callbacks repeat the states.
        case .notify: break
        }
    }
}

extension SlotInput {
    /// Nil for an action that does not belong to a single slot.
    fileprivate init?(_ action: FormatAction) {
        switch action {
        case .load: self = .load
        case .show: self = .show
        case .click: self = .click
        case .dismiss: self = .dismiss
        case .reload: self = .reload
        case .replay: self = .replay
        case .pause: self = .pauseToggled
        case .mute: self = .muteToggled
        case .visibility(let share): self = .shareVisible(share)
        case .hidden(let flag): self = .hidden(flag)
        case .lifecycle(let event): self = .lifecycle(event)
        case .turned: return nil
        }
    }
}
