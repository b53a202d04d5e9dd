/// The text form of durations in flags, settings and commands: `4s`, `500ms`, `2h`, `1m30s`, `-30s`, `1.5s`.
extension Duration {
    /// Why a text is not a duration, as a predicate for error messages.
    package struct TextProblem: Error, Hashable, Sendable {
        package let explanation: String

        package init(explanation: String) {
            self.explanation = explanation
        }
    }

    /// Parses a signed sequence of numbers with the units `ms`, `s`, `m`, `h`; a number without a unit is in seconds.
    /// The longest duration is 31 years.
    package init(text: some StringProtocol) throws(TextProblem) {
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        guard !rest.isEmpty else { throw TextProblem(explanation: "is empty") }
        var seconds = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
            rest = rest[number.endIndex...]
            let unit = rest.prefix { $0.isLetter }
            rest = rest[unit.endIndex...]
            guard let value = Double(number), let factor = Self.secondsPerUnit(unit) else {
                throw TextProblem(explanation: "is not a duration like 4s, 500ms, 2h or 1m30s")
            }
            seconds += value * factor
        }
        guard let duration = Duration(finiteSeconds: isNegative ? -seconds : seconds) else {
            throw TextProblem(explanation: "is too long")
        }
        self = duration
    }

    /// The shortest text in the same notation, to milliseconds: `1h30m`, `4s`, `0s`, `-1.5s`.
    package var text: String {
        let milliseconds = inMicroseconds / 1_000
        let sign = milliseconds < 0 ? "-" : ""
        let whole = milliseconds.magnitude
        if whole > 0, whole < 1_000 { return "\(sign)\(whole)ms" }
        let (hours, minutes) = (whole / 3_600_000, whole / 60_000 % 60)
        var text = sign
        if hours > 0 { text += "\(hours)h" }
        if minutes > 0 { text += "\(minutes)m" }
        let seconds = whole % 60_000
        if seconds > 0 || text == sign { text += Self.secondsText(seconds) }
        return text
    }

    /// Seconds with one decimal, cut towards zero: `11.8`, `-0.5`, `3,600.0`. They are cut because the same length is in a row beside the
    /// sentence, where nothing shows before it has come; and towards zero so that a length has the same digits in both directions, and less
    /// than a tenth is none.
    package var tenthsText: String {
        let tenths = inMicroseconds / 100_000
        return "\(tenths < 0 ? "-" : "")\(Int(clamping: tenths.magnitude / 10).grouped).\(tenths.magnitude % 10)"
    }

    /// Milliseconds with two decimals, for short durations: `0.41`.
    package var millisecondsText: String {
        let hundredths = max(0, inMicroseconds.addingSaturating(5) / 10)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private static func secondsText(_ milliseconds: UInt64) -> String {
        var fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(milliseconds / 1_000)\(fraction.isEmpty ? "" : ".\(fraction)")s"
    }

    private static func secondsPerUnit(_ unit: Substring) -> Double? {
        switch unit {
        case "ms": 0.001
        case "s", "": 1
        case "m": 60
        case "h": 3_600
        default: nil
        }
    }
}
