import Ports

/// Selects the media file that a player uses, with the reason against each other file (VAST-16; VAST 4.3 section 3.9:
/// by attributes, never by position).
package struct MediaSelection: Hashable, Sendable {
    /// Whether a file is the one selected, and why not.
    package enum Verdict: Hashable, Sendable {
        case chosen
        case emptyURL
        /// The URL is neither http nor https.
        case scheme
        /// The file needs code to play, for example VPAID.
        case apiFramework(String)
        case type(String?)
        case codec(String)
        case delivery(String)
        /// The file is playable, but the player prefers another type.
        case lessWantedType
        case bitrateAbove(Int)
        /// The file is playable, but another file is better.
        case otherSize, otherBitrate, laterInDocument
    }

    /// The verdicts in document order.
    package var verdicts: [Verdict]
    /// Index of the selected file; nil means error 403.
    package var chosen: Int?

    /// The error code of a linear ad without a playable file (VAST 4.3 section 2.3.6.3).
    package static let nothingPlayableCode = 403

    package init(of files: [VASTDocument.MediaFile], for player: PlayerProfile) {
        verdicts = files.map { Self.obstacle(to: $0, for: player) ?? .laterInDocument }
        var candidates = files.indices.filter { verdicts[$0] == .laterInDocument }
        let ranks = files.map { Self.typeRank($0, player) ?? .max }
        let best = candidates.map { ranks[$0] }.min()
        Self.keep(&candidates, &verdicts, as: .lessWantedType) { ranks[$0] == best }
        Self.applyBitrateCap(files, player, &candidates, &verdicts)
        chosen = candidates.min { Self.isBetter(files[$0], than: files[$1], for: player) }
        guard let chosen else { return }
        for index in candidates { verdicts[index] = Self.difference(files[index], from: files[chosen]) }
        verdicts[chosen] = .chosen
    }

    private static func obstacle(to file: VASTDocument.MediaFile, for player: PlayerProfile) -> Verdict? {
        if file.url.isEmpty { return .emptyURL }
        guard isWeb(file.url) else { return .scheme }
        if let framework = file.apiFramework { return .apiFramework(framework) }
        if typeRank(file, player) == nil { return .type(file.type) }
        if let codec = file.codec, !player.codecs.isEmpty, !player.codecs.contains(where: { matches($0, codec) }) {
            return .codec(codec)
        }
        if let delivery = file.delivery, !player.deliveries.isEmpty,
            !player.deliveries.contains(where: { $0.lowercased() == delivery.lowercased() })
        {
            return .delivery(delivery)
        }
        return nil
    }

    static func isWeb(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return (scheme == "http" || scheme == "https") && url.utf8.count > scheme.utf8.count
    }

    private static func matches(_ wanted: String, _ codec: String) -> Bool {
        codec.lowercased().hasPrefix(wanted.lowercased())
    }

    /// The rank of the file's type among the wanted ones, compared in lower case and without parameters.
    private static func typeRank(_ file: VASTDocument.MediaFile, _ player: PlayerProfile) -> Int? {
        guard let type = file.type?.prefix(while: { $0 != ";" }).lowercased() else { return nil }
        let bare = String(type.reversed().drop { $0 == " " }.reversed())
        return player.types.firstIndex { $0.lowercased() == bare }
    }

    private static func keep(
        _ candidates: inout [Int], _ verdicts: inout [Verdict], as reason: Verdict, where isKept: (Int) -> Bool
    ) {
        for index in candidates where !isKept(index) { verdicts[index] = reason }
        candidates.removeAll { !isKept($0) }
    }

    /// Removes files above the bitrate cap. If all are above it, the lowest is kept, because bad playback is better
    /// than none.
    private static func applyBitrateCap(
        _ files: [VASTDocument.MediaFile], _ player: PlayerProfile, _ candidates: inout [Int],
        _ verdicts: inout [Verdict]
    ) {
        guard let cap = player.maximumBitrate else { return }
        func rate(_ index: Int) -> Int? { isAdaptive(files[index]) ? nil : files[index].bitrate }
        if candidates.contains(where: { (rate($0) ?? 0) <= cap }) {
            keep(&candidates, &verdicts, as: .bitrateAbove(cap)) { (rate($0) ?? 0) <= cap }
        } else {
            let lowest = candidates.compactMap(rate).min()
            keep(&candidates, &verdicts, as: .bitrateAbove(cap)) { rate($0) == lowest }
        }
    }

    /// The player selects the rate of a stream, so its highest rate does not matter; a stream with a single stated rate
    /// is treated as a file.
    private static func isAdaptive(_ file: VASTDocument.MediaFile) -> Bool {
        let hasRange = file.minimumBitrate != nil || file.maximumBitrate != nil
        return file.delivery?.lowercased() == "streaming" && (hasRange || file.bitrate == nil)
    }

    /// Known size and rate come before unknown; then the largest that is not larger than the player, else the smallest
    /// larger one; then the higher rate.
    private static func isBetter(
        _ first: VASTDocument.MediaFile, than second: VASTDocument.MediaFile, for player: PlayerProfile
    ) -> Bool {
        if isKnown(first) != isKnown(second) { return isKnown(first) }
        let (left, right) = (sizeOrder(first, player), sizeOrder(second, player))
        if left != right { return left < right }
        return (rate(of: first) ?? -1) > (rate(of: second) ?? -1)
    }

    private static func isKnown(_ file: VASTDocument.MediaFile) -> Bool {
        file.width != nil && file.height != nil && rate(of: file) != nil
    }

    private static func rate(of file: VASTDocument.MediaFile) -> Int? { file.bitrate ?? file.maximumBitrate }

    /// The sort key, lower is better: class, then distance.
    private static func sizeOrder(_ file: VASTDocument.MediaFile, _ player: PlayerProfile) -> SizeOrder {
        guard let width = file.width, let height = file.height else { return SizeOrder(group: 2, distance: 0) }
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow else { return SizeOrder(group: 2, distance: 0) }
        let fits = width <= player.width && height <= player.height
        return SizeOrder(group: fits ? 0 : 1, distance: fits ? -area : area)
    }

    private struct SizeOrder: Comparable {
        var group: Int
        var distance: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.group, left.distance) < (right.group, right.distance)
        }
    }

    private static func difference(_ file: VASTDocument.MediaFile, from chosen: VASTDocument.MediaFile) -> Verdict {
        if file.width != chosen.width || file.height != chosen.height { return .otherSize }
        return file.bitrate == chosen.bitrate ? .laterInDocument : .otherBitrate
    }
}

extension MediaSelection.Verdict {
    /// The verdict as a clause for display.
    package var explanation: String {
        switch self {
        case .chosen: "chosen"
        case .emptyURL: "has no URL"
        case .scheme: "is neither http nor https"
        case .apiFramework(let name): "needs \(name) to play"
        case .type(let type): type.map { "has the type \($0), which the player cannot play" } ?? "has no type"
        case .codec(let codec): "has the codec \(codec), which the player cannot decode"
        case .delivery(let delivery): "has the delivery \(delivery), which the player does not accept"
        case .lessWantedType: "has a type that the player prefers less"
        case .bitrateAbove(let cap): "needs more than \(cap.grouped) kbit/s"
        case .otherSize: "fits the player's size less well"
        case .otherBitrate: "has a lower bitrate at the same size"
        case .laterInDocument: "is equally good but later in the document"
        }
    }
}
