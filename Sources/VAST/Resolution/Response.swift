package import Ports

/// An ad on the way from the tag to the inline ad, or the inline ad itself.
package struct ChainLink: Hashable, Sendable {
    package var ad: VASTDocument.Ad
    /// The version of its document.
    package var version: VASTVersion?
}

/// One document of a resolution: asked for, read, and what became of its ads.
package struct Response: Sendable {
    /// What the one who asked for it allows.
    package struct Rules: Hashable, Sendable {
        package var allowsMultipleAds = true
        package var followsWrappers = true
    }

    /// The wrapper that pointed here.
    package struct Parent: Hashable, Sendable {
        package var response: Int
        package var slot: Int
    }

    package enum Outcome: Hashable, Sendable {
        /// For the answer.
        case waiting
        /// For the documents behind its wrappers.
        case open
        /// There are ads.
        case settled
        case failed(ResolutionFailure)
    }

    /// One of its ads that is used.
    package struct Slot: Hashable, Sendable {
        package enum State: Hashable, Sendable {
            case waiting
            case inLine
            /// A wrapper; the number is that of the response behind it.
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
    /// The address before macros, absolute once it is known.
    package internal(set) var template: String
    /// The address that answered.
    package internal(set) var url: String?
    /// The wrappers on the way here, the outermost first.
    package let chain: [ChainLink]
    package let rules: Rules
    package let parent: Parent?
    package internal(set) var outcome = Outcome.waiting
    package internal(set) var status: Int?
    package internal(set) var byteCount: Int?
    /// What became of the macros in the address.
    package internal(set) var macros: [MacroExpander.Step] = []
    package internal(set) var reading: VASTReading?
    package internal(set) var version: VASTVersion?
    package internal(set) var slots: [Slot] = []
    package internal(set) var findings: [Finding] = []
    /// Stand-alone ads held back because only one is allowed.
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

/// Tells whether two bodies are the same without keeping them.
struct Fingerprint: Hashable, Sendable {
    private let hash: UInt64
    private let count: Int

    init(_ bytes: [UInt8]) {
        // FNV-1a: against accident, not against intent; who builds a collision only ends his own chain.
        hash = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        count = bytes.count
    }
}
