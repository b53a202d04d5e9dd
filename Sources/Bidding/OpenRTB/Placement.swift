package import Ports

/// The kind of ad that a placement shows.
package enum AdFormat: String, Sendable, CaseIterable {
    case banner, interstitial, rewarded, video, native
}

/// A size in pixels.
package struct AdSize: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    package init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    package var description: String { "\(width)x\(height)" }
}

/// What a publisher blocks (OpenRTB `bseat`, `badv`, `bcat`, `battr`, `bapp`), and which seats may bid (`wseat`).
package struct BlockList: Hashable, Sendable {
    package var allowedSeats: [String] = []
    package var blockedSeats: [String] = []
    package var advertisers: [String] = []
    package var categories: [String] = []
    package var attributes: [Int] = []
    package var apps: [String] = []
    /// Allowed languages (`wlang`); empty allows all.
    package var languages: [String] = []

    package static let none = BlockList()

    package init() {}

    package init(_ json: JSONValue?) {
        allowedSeats = json?["wseat"]?.texts ?? []
        blockedSeats = json?["bseat"]?.texts ?? []
        advertisers = json?["badv"]?.texts ?? []
        categories = json?["bcat"]?.texts ?? []
        attributes = json?["battr"]?.smallIntegers ?? []
        apps = json?["bapp"]?.texts ?? []
        languages = json?["wlang"]?.texts ?? []
    }
}

/// Space for several ads in one video break.
package struct PodRoom: Hashable, Sendable {
    package var id: String?
    /// `podseq`: -1 last, 0 any, 1 first pod of the content.
    package var sequence: Int
    /// Seconds for all ads together; nil when the pod is structured (a slot for each ad).
    package var duration: Int?
    package var maximumAds: Int?

    package init(id: String? = nil, sequence: Int = 0, duration: Int?, maximumAds: Int? = nil) {
        self.id = id
        self.sequence = sequence
        self.duration = duration
        self.maximumAds = maximumAds
    }
}

/// One ad space and all properties that bids are checked against.
package struct Placement: Hashable, Sendable {
    package var id: String
    package var impID = "1"
    package var format: AdFormat = .banner
    package var sizes: [AdSize] = []
    /// Size of the video player.
    package var player: AdSize?
    /// `minduration` and `maxduration` in seconds.
    package var minimumDuration: Int?
    package var maximumDuration: Int?
    /// `exp`: seconds from the auction to the impression, at most, and so the life of a creative (OpenRTB 2.6 section 3.2.4).
    package var expiry: Int?
    /// Whether markup without encryption is rejected.
    package var isSecure = false
    /// The page states that it takes markup that loads over http (`secure` is false); requests then have `imp.secure` 0.
    package var acceptsInsecure = false
    package var floor: FloorGuide = .none
    package var keywords: [String] = []
    package var deals: [Deal] = []
    package var isPrivate = false
    package var block: BlockList = .none
    package var pod: PodRoom?
    /// Seconds between two ads in the same space; nil when it does not refresh.
    package var refreshInterval: Int?
    package var refreshCount: Int?
    /// `startdelay`: above 0 a mid-roll second, 0 pre-roll, -1 mid-roll, -2 post-roll.
    package var startDelay: Int?

    package init(id: String, format: AdFormat = .banner, sizes: [AdSize] = []) {
        self.id = id
        self.format = format
        self.sizes = sizes
    }
}
