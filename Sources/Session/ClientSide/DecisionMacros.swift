import AdTracking
import HLS
import Ports
import VAST

/// Values for macros (VAST-15). Unknown values are -1.
extension DecisionPart {
    /// Values for the tag and the beacons of one break.
    mutating func breakValues(
        of decision: Decision, on timeline: Timeline, _ configuration: MonitorConfiguration
    ) -> MacroValues {
        var values = MacroValues()
        values[.breakPosition] = .number(decision.position.macroValue)
        if let length = decision.length {
            values[.breakMaxDuration] = .text(String(max(0, length.inMilliseconds) / 1_000))
        }
        values[.transactionID] = .text(random.uuid())
        // The content is paused while an ad plays in a player of its own, so its time is the time of the break.
        if let place = timeline.position(of: decision.start) {
            let content = timeline.hasEnded ? place - (timeline.window?.start ?? .zero) : place - .zero
            values[.mediaPlayhead] = .playhead(milliseconds: content.inMilliseconds)
        }
        values[.contentURI] = .text(configuration.mediaURL.text)
        values[.clientUA] = .text(configuration.userAgent)
        values[.deviceUA] = .text(configuration.userAgent)
        values[.serverSide] = .number(0)
        values[.adType] = .text("video")
        // In-stream with sound on by default (AdCOM placement subtype 1).
        values[.placementType] = .number(1)
        values[.playerSize] = .numbers([PlayerProfile.television.width, PlayerProfile.television.height])
        values[.limitAdTracking] = .number(1)
        values.custom = configuration.macros
        return values
    }

    /// Values for the tag alone.
    static func requestValues(_ values: MacroValues, at now: Moment) -> MacroValues {
        var values = values
        values[.timestamp] = .timestamp(now.wall)
        values[.vastVersions] = .numbers(vastVersions)
        values[.mediaMIME] = .list(PlayerProfile.television.types)
        return values
    }

    /// AdCOM creative subtypes of VAST 2.0 to 4.1 and their wrappers; the published list ends there.
    private static let vastVersions = [2, 3, 5, 6, 7, 8, 11, 12]
}

extension SplitMix64 {
    /// A random UUID (RFC 9562 section 5.4).
    mutating func uuid() -> String {
        let high = next() & ~0xF000 | 0x4000
        let low = next() & ~(0xC000 << 48) | 0x8000 << 48
        let digits = high.hexadecimal + low.hexadecimal
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}
