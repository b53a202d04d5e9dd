extension SafeText {
    /// The cells a field shows at most when its view sets no other limit.
    package static let fieldColumns = Sanitizer.cellLimit
    /// The most lines and bytes of a body view.
    package static let bodyLineLimit = 2_000
    /// The most bytes of a body that are looked at.
    package static let bodyByteLimit = 65_536

    /// Makes text from outside safe on one line: controls, line ends and hidden scalars become visible escapes.
    ///
    /// Only the first 8 KiB are used, and text wider than `limit` cells loses its middle to an escape that marks the
    /// cut: a URL keeps its host and the end of what was kept.
    package init(outside text: String, columns limit: Int = SafeText.fieldColumns) {
        var text = text
        if text.utf8.count > Sanitizer.byteLimit { text = SafeText.kept(of: text, bytes: Sanitizer.byteLimit) }
        let count = text.utf8.count
        if count <= limit, Sanitizer.isPlain(&text) {
            self.init(storage: .ascii(text), columns: count)
            return
        }
        var sanitizer = Sanitizer()
        sanitizer.append(Array(text.unicodeScalars)[...])
        self = SafeText(sanitizer).limited(to: limit)
    }

    /// Makes a multi-line body safe: line ends separate lines, tabs go to the next stop, everything else as in a field.
    package static func lines(body text: String) -> [SafeText] {
        let kept = SafeText.kept(of: text, bytes: bodyByteLimit)
        var lines: [SafeText] = []
        // Split on scalars: CR LF is one Character, and a lone CR must stay visible.
        for line in kept.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            guard lines.count < bodyLineLimit else { break }
            var scalars = Array(line)
            if scalars.last == "\r" { scalars.removeLast() }
            var sanitizer = Sanitizer(expandsTabs: true)
            sanitizer.append(scalars.prefix(Sanitizer.byteLimit))
            lines.append(SafeText(sanitizer))
        }
        if kept.utf8.count < text.utf8.count || lines.count == bodyLineLimit {
            var note = Sanitizer()
            note.escape(text: "<cut>")
            lines.append(SafeText(note))
        }
        return lines
    }

    /// What the sanitiser has produced.
    init(_ sanitizer: Sanitizer) {
        self.init(storage: .units(sanitizer.units, sanitizer.clusters), columns: sanitizer.columns)
    }

    /// Keeps the start and the end of what is wider than a field may be.
    private func limited(to limit: Int) -> SafeText {
        guard columns > limit else { return self }
        var cut = Sanitizer()
        cut.escape(text: "<...>")
        let mark = SafeText(cut)
        guard limit > 4 * mark.columns else { return prefix(columns: limit) }
        let end = suffix(columns: limit / 4)
        return prefix(columns: limit - end.columns - mark.columns) + mark + end
    }

    /// At most so many bytes from the start, never half a scalar.
    static func kept(of text: String, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: bytes)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text.unicodeScalars[..<end])
    }
}
