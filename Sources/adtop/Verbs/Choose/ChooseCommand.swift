import ArgumentParser
import Ports
import VAST

/// `adtop choose`
struct ChooseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "choose", abstract: "Pick an ad's media file and companions as a player would, with reasons.",
        discussion: """
            Files that need code, have no web address, or have a type, codec or delivery that the player lacks are \
            rejected. Of the others the command keeps the most preferred type, then the files within the bitrate (or \
            the lowest bitrate), then the largest file that is not larger than the player (or the smallest larger \
            file), then the higher bitrate, then document order. Companions are matched by slot id, then by exact \
            size, then by the largest size that fits.

            With --last-time the report also shows what a rewarded zone would download: the low, middle or high MP4 \
            file, depending on the time of the last download, and beside it the choice by bandwidth alone.

            Examples:
              adtop choose ad.xml
              adtop choose ad.xml --size 1280x720 --bandwidth 4000 --slot 300x250
              adtop choose https://ads.example.com/tag --codec avc1 --delivery progressive
              adtop choose ad.xml --last-time 2.4 --last-quality low --bandwidth 2000

            Exit codes: 0 every inline ad can be played, 1 an ad cannot be played, 2 usage error, 3 network error, \
            4 unreadable input.
            """)

    @Argument(help: "VAST document: file, URL, or - for stdin.", completion: .files("xml"))
    var document: String

    @OptionGroup var player: PlayerOptions
    @OptionGroup var history: DownloadHistoryOptions

    @Flag(help: "Print JSON (schema adtop-choice/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        let profile = try player.profile()
        let slots = try player.slots()
        let history = try history.rule(bandwidth: player.bandwidth)
        let content = try await fetch.input.read(document, limit: Limits.vastBytes)
        guard let vast = VASTReader.read(content.bytes, charset: content.exchange?.charset).vast, vast.legacyAds == nil
        else {
            throw CommandFailure(.unreadable, "\(document): no VAST ad to choose from (see adtop vast parse)")
        }
        let choices = vast.ads.flatMap { ad in
            ad.linears.map { AdChoice(ad: ad, choice: CreativeChoice(of: $0, in: ad, for: profile, slots: slots)) }
        }
        let inLine = choices.filter { $0.ad.wrapper == nil }
        if json {
            let value: JSONValue = [
                "schema": "adtop-choice/1", "player": profile.json,
                "ads": .array(inLine.map { $0.json(slots: slots, history: history) }),
            ]
            Output.write(value.text(indented: true) + "\n")
        } else {
            for choice in inLine {
                choice.lines(slots: slots).forEach { Output.line($0) }
                history?.lines(for: choice.choice.files).forEach { Output.line($0) }
            }
            for ad in vast.ads where ad.wrapper != nil {
                Output.line("wrapper \(ad.id ?? "without id"): not followed (see adtop vast resolve)")
            }
            if vast.ads.isEmpty {
                Output.line("no ad in the document")
            } else if choices.isEmpty {
                Output.line("no ad has a linear creative")
            }
        }
        if inLine.isEmpty || inLine.contains(where: { $0.choice.errorCode != nil }) { throw ExitStatus.findings.code }
    }
}

/// The options that describe the player.
struct PlayerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Size of the player in pixels; 0x0 is an audio player.", valueName: "WxH"))
    var size = "1920x1080"

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp("MIME type that the player plays, most preferred first (repeatable).", valueName: "type"))
    var types: [String] = []

    @Option(help: ArgumentHelp("Highest bitrate of a media file (default none).", valueName: "kbit/s"))
    var maxBitrate: Int?

    @Option(help: ArgumentHelp("Bandwidth of the connection; a file may use 80 % of it.", valueName: "kbit/s"))
    var bandwidth: Int?

    @Option(
        name: .customLong("codec"),
        help: ArgumentHelp("Codec that the player decodes, such as avc1 (repeatable).", valueName: "codec"))
    var codecs: [String] = []

    @Option(
        name: .customLong("delivery"),
        help: ArgumentHelp("Delivery: progressive or streaming (repeatable; default both).", valueName: "delivery"),
        completion: .list(["progressive", "streaming"]))
    var deliveries: [String] = []

    @Option(
        name: .customLong("slot"),
        help: ArgumentHelp("Slot for a companion: 300x250 or 300x250#id (repeatable).", valueName: "size"))
    var slotTexts: [String] = []

    /// Share of the bandwidth that one file may use, so that playback starts without a delay.
    static let bandwidthShare = 0.8

    func profile() throws(CommandFailure) -> PlayerProfile {
        let isAudio = size == Self.audioSize
        let (width, height) = isAudio ? (0, 0) : try Self.size(size, flag: "--size")
        if let rate = [maxBitrate, bandwidth].compactMap({ $0 }).first(where: { $0 <= 0 || $0 > Self.highestRate }) {
            throw CommandFailure(.usage, "--max-bitrate, --bandwidth: \(rate) kbit/s is not 1 to \(Self.highestRate)")
        }
        let share = bandwidth.map { Int(Double($0) * Self.bandwidthShare) }
        var profile = PlayerProfile(
            types: types.isEmpty ? (isAudio ? PlayerProfile.radio : .television).types : types, width: width,
            height: height,
            maximumBitrate: [maxBitrate, share].compactMap { $0 }.min())
        profile.codecs = codecs
        profile.deliveries = deliveries
        return profile
    }

    func slots() throws(CommandFailure) -> [CompanionSlot] {
        var slots: [CompanionSlot] = []
        for text in slotTexts {
            let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let (width, height) = try Self.size(String(parts[0]), flag: "--slot")
            slots.append(CompanionSlot(id: parts.count > 1 ? String(parts[1]) : nil, width: width, height: height))
        }
        return slots
    }

    /// A player that shows nothing.
    private static let audioSize = "0x0"
    private static let highestRate = 10_000_000
    private static let largestSide = 100_000

    private static func size(_ text: String, flag: String) throws(CommandFailure) -> (Int, Int) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], (1...largestSide).contains(width),
            (1...largestSide).contains(height)
        else { throw CommandFailure(.usage, "\(flag): '\(text)' is not WxH in pixels such as 1280x720") }
        return (width, height)
    }
}

/// The choice for one linear creative of one ad.
struct AdChoice {
    let ad: VASTDocument.Ad
    let choice: CreativeChoice

    func json(slots: [CompanionSlot], history: DownloadRule? = nil) -> JSONValue {
        var object = JSONObject()
        object.append("ad", .optional(ad.id))
        object.append("title", .optional(ad.title))
        for member in choice.json(slots: slots).objectValue?.members ?? [] { object.append(member.name, member.value) }
        if let history { object.append("download", history.json(for: choice.files)) }
        return .object(object)
    }

    func lines(slots: [CompanionSlot]) -> [ToolLine] {
        var lines = [ToolLine("ad \(ad.id ?? "without id")\(ad.title.map { " “\($0)”" } ?? "")", .strong)]
        lines += zip(choice.files, choice.media.verdicts).map { file, verdict in
            "  \(Self.mark(verdict == .chosen)) \(Self.facts(of: file))  \(verdict.explanation, .muted)"
        }
        lines += choice.offers.map { offer in
            "  \(Self.mark(offer.isUsed)) \(offer.kind.rawValue) \(offer.name ?? "")  \(offer.reason, .muted)"
        }
        lines += companionLines(slots)
        if let card = choice.endCard {
            lines.append(
                "  \(Self.mark(true)) end card \(card.kindText) of companion \(card.companion.id ?? "without id")")
        }
        if let code = choice.errorCode { lines.append("  \("✗ error \(code)", .error): \(Self.clause(for: code))") }
        return lines
    }

    private func companionLines(_ slots: [CompanionSlot]) -> [ToolLine] {
        guard let companions = choice.companions, let placement = choice.placement else { return [] }
        func name(_ index: Int) -> String {
            let companion = companions.companions[index]
            let size = "\(companion.width.map(String.init) ?? "?")x\(companion.height.map(String.init) ?? "?")"
            return "companion \(companion.id ?? "without id") \(size)"
        }
        return placement.choices.map {
            "  \(Self.mark(true)) \(name($0.companion))  placed in \(slots[$0.slot].text): \($0.match.clause)"
        }
            + placement.unplaced.map { "  \(Self.mark(false)) \(name($0))  no slot" }
    }

    private static func mark(_ isUsed: Bool) -> ToolLine {
        isUsed ? ToolLine("✓", .good) : ToolLine("·", .muted)
    }

    private static func facts(of file: VASTDocument.MediaFile) -> String {
        let size = "\(file.width.map(String.init) ?? "?")x\(file.height.map(String.init) ?? "?")"
        let facts = [file.type ?? "no type", size, rate(of: file), file.delivery ?? "no delivery", file.url]
        return facts.joined(separator: "  ")
    }

    private static func rate(of file: VASTDocument.MediaFile) -> String {
        switch (file.bitrate, file.minimumBitrate, file.maximumBitrate) {
        case (let rate?, _, _): "\(rate.grouped) kbit/s"
        case (nil, let low?, let high?): "\(low.grouped) to \(high.grouped) kbit/s"
        case (nil, let low?, nil): "at least \(low.grouped) kbit/s"
        case (nil, nil, let high?): "at most \(high.grouped) kbit/s"
        case (nil, nil, nil): "unknown bitrate"
        }
    }

    private static func clause(for code: Int) -> String {
        code == CompanionSelection.requirementCode
            ? "a required companion has no slot" : "no media file can be played"
    }
}

extension CompanionSelection.Match {
    fileprivate var clause: String {
        switch self {
        case .slotID: "same slot id"
        case .exactSize: "exact size"
        case .fits: "largest that fits"
        }
    }
}

extension EndCard {
    fileprivate var kindText: String {
        switch content {
        case .html: "markup"
        case .frame(let url): "page \(url)"
        case .image(let url, _): "image \(url)"
        }
    }
}
