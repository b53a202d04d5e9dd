package import HLS
package import Ports

/// The clock of a session (PRV-20, PRV-21).
package struct MediaTailorClock: Hashable, Sendable {
    /// Most ads whose date from a date range is remembered.
    private static let longestMemory = 2_000

    /// The date of second 0; DASH, and guided insertion.
    package private(set) var zero: UnixTime?
    /// Dates of ads that date ranges had; ranges leave the playlist, and the ads keep their dates.
    private var adDates: [ListedPlacement.AdKey: UnixTime] = [:]

    package init() {}

    /// The date of second 0 in an answer.
    /// - Returns: a finding if it changed.
    package mutating func anchored(_ date: UnixTime?) -> Finding? {
        guard let date, date != zero else { return nil }
        defer { zero = date }
        return zero == nil ? nil : ProviderRule.anchor.finding("the date of second 0 changed", path: "")
    }

    /// Notes the date ranges of a playlist that mark ads.
    package mutating func noted(_ playlist: MediaPlaylist?) {
        for range in playlist?.dateRanges ?? [] {
            guard let start = range.start, let key = Self.key(of: range) else { continue }
            if adDates.count >= Self.longestMemory, adDates[key] == nil { adDates.removeAll() }
            adDates[key] = start
        }
    }

    package func placement(on timeline: Timeline?) -> ListedPlacement {
        ListedPlacement(timeline: timeline, zero: zero, adDates: adDates)
    }

    private static func key(of range: DateRange) -> ListedPlacement.AdKey? {
        guard let name = range.rangeClass, SignaledRanges.classes.contains(name),
            case .string(let text)? = range[extension: CreativeSignal.member], let bytes = Base64.decode(text),
            // What is wrong with the envelope is reported where signaling is read.
            let value = try? JSONReader.read(bytes), let first = MediaTailorMembers(value)?.list("identifiers").first,
            let members = MediaTailorMembers(first), let creative = members.text("value"),
            let ad = members.text("ad_position")
        else { return nil }
        return ListedPlacement.AdKey(creative: creative, ad: ad)
    }
}
