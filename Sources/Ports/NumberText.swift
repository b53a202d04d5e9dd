extension FixedWidthInteger {
    /// With zeros before it, so that it has so many digits: `07` of 7.
    package func zeroPadded(to digits: Int) -> String {
        let text = String(magnitude)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }
}

extension Int {
    /// With its thousands separated, as all texts for people have it: `12,345`.
    package var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }

    /// So many of a thing: `1 break`, `1,204 breaks`.
    package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
