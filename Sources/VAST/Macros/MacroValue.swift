package import Ports

/// The value of a macro, before encoding.
package enum MacroValue: Hashable, Sendable {
    case text(String)
    /// Members are encoded one by one; the commas between them are not encoded (VAST 4.3 section 6.1).
    case list([String])
    /// Known but not shared: becomes -2.
    case withheld
    /// Does not apply: becomes 0 for PAGEURL and APPBUNDLE, -1 for others.
    case notApplicable

    package static func number(_ number: Int) -> MacroValue { .text(String(number)) }
    package static func numbers(_ numbers: [Int]) -> MacroValue { .list(numbers.map(String.init)) }
    package static func flag(_ flag: Bool) -> MacroValue { .text(flag ? "1" : "0") }

    /// Eight digits, zero-padded; of a longer number, the last eight.
    package static func eightDigits(_ number: UInt64) -> MacroValue {
        .text((number % 100_000_000).zeroPadded(to: 8))
    }

    /// `HH:MM:SS.mmm`; negative times count as 0.
    package static func playhead(milliseconds: Int64) -> MacroValue {
        let time = max(0, milliseconds)
        let (hours, minutes, seconds) = (time / 3_600_000, time / 60_000 % 60, time / 1_000 % 60)
        let clock = [hours, minutes, seconds].map { $0.zeroPadded(to: 2) }.joined(separator: ":")
        return .text("\(clock).\((time % 1_000).zeroPadded(to: 3))")
    }

    /// ISO 8601 with milliseconds before the zone: `Z`, or the offset from UTC.
    package static func timestamp(_ time: UnixTime, offsetMinutes: Int = 0) -> MacroValue {
        let local = CivilTime(time + .seconds(60 * max(-1_440, min(1_440, offsetMinutes)))).iso8601
        guard offsetMinutes != 0 else { return .text(local) }
        let magnitude = min(1_440, offsetMinutes.magnitude)
        let zone = "\((magnitude / 60).zeroPadded(to: 2)):\((magnitude % 60).zeroPadded(to: 2))"
        return .text("\(local.dropLast())\(offsetMinutes < 0 ? "-" : "+")\(zone)")
    }

    /// An identifier after its registry: `registry id`.
    package static func registered(_ registry: String, _ id: String) -> MacroValue { .text("\(registry) \(id)") }
}

/// The values known when URLs are expanded.
package struct MacroValues: Hashable, Sendable {
    private var known: [MacroName: MacroValue] = [:]
    /// Values set by the user, by name, for macros of any list; they override all others, except where ERRORCODE and
    /// REASON are not replaced. Encoded as text, or member by member when the macro's value is a list.
    package var custom: [String: String] = [:]

    package init() {}

    package subscript(name: MacroName) -> MacroValue? {
        get { known[name] ?? (name == .contentPlayhead ? known[.mediaPlayhead] : nil) }
        set { known[name] = newValue }
    }
}
