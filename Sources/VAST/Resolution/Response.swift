package import Ports

/// A wrapper in a chain, or its inline ad.
package struct ChainLink: Hashable, Sendable {
    package var ad: VASTDocument.Ad
    /// The declared version of its document.
    package var version: VASTVersion?
}

/// One document of a resolution: its request, its content, and the results of its ads.
package struct Response: Sendable {
    /// What the wrapper or caller that requested it allows.
    package struct Rules: Hashable, Sendable {
        package var allowsMultipleAds = true
        package var followsWrappers = true
    }

    /// The wrapper that referred to it.
    package struct Parent: Hashable, Sendable {
        package var response: Int
        package var slot: Int
    }

    package enum Outcome: Hashable, Sendable {
        /// Waiting for the answer.
        case waiting
        /// Waiting for the documents behind its wrappers.
        case open
        /// There are ads.
        case settled
        case failed(ResolutionFailure)
    }

    /// One used ad of the response.
    package struct Slot: Hashable, Sendable {
        package enum State: Hashable, Sendable {
            case waiting
            case inLine
            /// A wrapper; the number is the id of the response behind it.
            case behind(Int)
            case failed(ResolutionFailure)
        }

        package var ad: VASTDocument.Ad
        package var state: State = .waiting

        package init(ad: VASTDocument.Ad) {
            self.ad = ad
        }

        var failure: ResolutionFailure? {
            if case .failed(let failure) = state { failure } else { nil }
        }
    }

    package let id: Int
    /// The URL with macros unexpanded; absolute once it was resolved.
    package internal(set) var template: String
    /// The URL of the answer, after redirects.
    package internal(set) var url: String?
    /// The wrappers before this response, the outermost first.
    package let chain: [ChainLink]
    package let rules: Rules
    package let parent: Parent?
    package internal(set) var outcome = Outcome.waiting
    package internal(set) var status: Int?
    package internal(set) var byteCount: Int?
    /// How the macros in the URL were expanded.
    package internal(set) var macros: [MacroExpander.Step] = []
    package internal(set) var reading: VASTReading?
    package internal(set) var version: VASTVersion?
    package internal(set) var slots: [Slot] = []
    package internal(set) var findings: [Finding] = []
    /// Stand-alone ads that are not used because only one is allowed.
    var spares: [VASTDocument.Ad] = []
    var fingerprint: Fingerprint?

    init(id: Int, template: String, url: String?, chain: [ChainLink], rules: Rules, parent: Parent?) {
        self.id = id
        self.template = template
        self.url = url
        self.chain = chain
        self.rules = rules
        self.parent = parent
    }

    package var isWaiting: Bool { outcome == .waiting }

    package var failure: ResolutionFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }

    var isSettled: Bool { outcome == .settled || failure != nil }
}

/// Compares two bodies without keeping them.
struct Fingerprint: Hashable, Sendable {
    private let hash: UInt64
    private let count: Int

    init(_ bytes: [UInt8]) {
        // FNV-1a protects against accidental collisions only; a deliberate collision just ends the sender's own chain.
        hash = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        count = bytes.count
    }
}
