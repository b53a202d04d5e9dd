import Ports
import Screen

/// Items that several headers have.
extension FittedRow.Item {
    /// The program with its version and what it shows, or that word alone.
    /// - Parameter name: what it shows; nil for sessions.
    static func program(_ name: SafeText? = nil, _ context: ViewContext) -> Self {
        let version: SafeText =
            context.settings.version.isEmpty ? "" : " " + SafeText(outside: context.settings.version)
        let words = "adtop" + version + (name.map { " " + $0 } ?? "")
        return Self([StyledLine(words, .header), StyledLine(name ?? "adtop", .header), StyledLine()], ranks: [2, 4])
    }

    /// The item for a session that sends no beacon.
    static func observing(rank: Int, gap: Int = 2) -> Self {
        Self([StyledLine("OBSERVE", .headerObserve), StyledLine("OBS", .headerObserve)], ranks: [rank], gap: gap)
    }

    /// The time of day.
    static func clock(rank: Int, _ context: ViewContext) -> Self {
        Self([.of(TimeText.clock(context.now.wall) + "Z", .header), StyledLine()], ranks: [rank])
    }
}
