/// The MRAID container of a creative as a state machine without a script engine: commands in, events out (FMT-23).
package struct MRAIDContainer: Sendable, Hashable {
    package enum Placement: String, Sendable, Hashable, CaseIterable {
        case inline, interstitial
    }

    package enum State: String, Sendable, Hashable, CaseIterable {
        case loading, `default`, expanded, resized, hidden
    }

    package enum Command: Sendable, Hashable {
        /// The page finished loading, which makes the creative ready.
        case loaded
        case expand
        case resize(PixelSize, x: Int, y: Int)
        case close
        case open(String)
        case useCustomClose(Bool)
        case unload
        /// Visible part of the ad in percent.
        case exposure(Double)

        /// The name of the command in the API.
        package var name: String {
            switch self {
            case .loaded: "loaded"
            case .expand: "expand"
            case .resize: "resize"
            case .close: "close"
            case .open: "open"
            case .useCustomClose: "useCustomClose"
            case .unload: "unload"
            case .exposure: "exposure"
            }
        }
    }

    package enum Event: Sendable, Hashable {
        case ready
        case error(message: String, action: String)
        case stateChange(State)
        case sizeChange(PixelSize)
        case viewableChange(Bool)
        case exposureChange(Double)
        /// The container opens the URL; this is not an event of the API.
        case opened(String)
        /// The container removes the creative.
        case unloaded

        /// The event as one line for traces.
        package var text: String {
            switch self {
            case .ready: "ready"
            case .error(let message, let action): "error(\(message), \(action))"
            case .stateChange(let state): "stateChange(\(state.rawValue))"
            case .sizeChange(let size): "sizeChange(\(size.width),\(size.height))"
            case .viewableChange(let flag): "viewableChange(\(flag))"
            case .exposureChange(let percent): "exposureChange(\(Self.shortest(percent)))"
            case .opened(let url): "open(\(url))"
            case .unloaded: "unload"
            }
        }

        private static func shortest(_ percent: Double) -> String {
            percent == percent.rounded() ? String(Int(percent)) : String(percent)
        }
    }

    package let placement: Placement
    package let screen: PixelSize
    package private(set) var state = State.loading
    package private(set) var size: PixelSize
    /// Exposure in percent, 0 to 100.
    package private(set) var exposure = 0.0
    package private(set) var isUnloaded = false
    private let natural: PixelSize

    package init(placement: Placement, size: PixelSize, screen: PixelSize) {
        self.placement = placement
        self.screen = screen
        natural = size
        self.size = size
    }

    package var isViewable: Bool { exposure > 0 }

    /// A command that the state does not allow returns one `error` event and changes nothing.
    package mutating func apply(_ command: Command) -> [Event] {
        guard !isUnloaded else { return [refusal("the creative is unloaded", command)] }
        switch command {
        case .loaded:
            guard state == .loading else { return [refusal("loaded twice", command)] }
            return change(to: .default) + [.ready]
        // A hidden ad is not visible, whatever the exposure of its place.
        case .exposure(let percent): return state == .hidden ? [] : expose(percent)
        case .unload:
            isUnloaded = true
            return [.unloaded]
        default: break
        }
        guard state != .loading, state != .hidden else {
            return [refusal("not allowed in state \(state.rawValue)", command)]
        }
        switch command {
        case .expand: return expand(command)
        case .resize(let size, let x, let y): return resize(size, x, y, command)
        case .close: return close()
        case .open(let url):
            if url.isEmpty { return [refusal("no URL", command)] }
            if let scheme = LandingURL.forbiddenScheme(url) {
                return [refusal("scheme \(scheme) is not opened", command)]
            }
            return [.opened(url)]
        // The container always shows its own control for closing.
        case .useCustomClose, .loaded, .exposure, .unload: return []
        }
    }

    private mutating func expand(_ command: Command) -> [Event] {
        if placement == .interstitial { return [refusal("not for interstitials", command)] }
        // Expanding an expanded ad has no effect (MRAID 2.0, expand).
        if state == .expanded { return [] }
        return change(to: .expanded) + resized(to: screen)
    }

    private mutating func resize(_ size: PixelSize, _ x: Int, _ y: Int, _ command: Command) -> [Event] {
        if placement == .interstitial { return [refusal("not for interstitials", command)] }
        if state == .expanded { return [refusal("not allowed in state expanded", command)] }
        let fits = size.width <= screen.width && size.height <= screen.height
        guard fits else { return [refusal("larger than the screen", command)] }
        guard size.width >= Self.closeRegion, size.height >= Self.closeRegion else {
            return [refusal("smaller than the close region", command)]
        }
        return change(to: .resized) + resized(to: size)
    }

    /// Width and height in pixels of the region that closes a resized ad (MRAID 2.0, resize).
    private static let closeRegion = 50

    private mutating func close() -> [Event] {
        switch state {
        case .expanded, .resized: return change(to: .default) + resized(to: natural)
        case .default: return change(to: .hidden) + expose(0)
        case .loading, .hidden: return []
        }
    }

    private mutating func expose(_ percent: Double) -> [Event] {
        let next = percent > 0 ? min(percent, 100) : 0
        guard next != exposure else { return [] }
        let wasViewable = isViewable
        exposure = next
        // A creative receives events only once it is ready.
        guard state != .loading else { return [] }
        return [.exposureChange(next)] + (isViewable == wasViewable ? [] : [.viewableChange(isViewable)])
    }

    private mutating func change(to next: State) -> [Event] {
        guard next != state || next == .resized else { return [] }
        state = next
        return [.stateChange(next)]
    }

    private mutating func resized(to next: PixelSize) -> [Event] {
        guard next != size else { return [] }
        size = next
        return [.sizeChange(next)]
    }

    private func refusal(_ message: String, _ command: Command) -> Event {
        .error(message: message, action: command.name)
    }
}
