/// A line made of pieces in different roles.
package struct StyledLine: Sendable, Equatable {
    /// A piece in one role.
    package struct Segment: Sendable, Equatable {
        /// What is shown.
        package var text: SafeText
        /// What it means.
        package var role: Role

        /// A piece in one role.
        package init(_ text: SafeText, _ role: Role = .text) {
            self.text = text
            self.role = role
        }
    }

    /// The pieces from left to right.
    package private(set) var segments: [Segment] = []
    /// How many cells the line takes.
    package private(set) var columns = 0

    /// A line without pieces.
    package init() {}

    /// A line of one piece.
    package init(_ text: SafeText, _ role: Role = .text) {
        append(text, role)
    }

    /// A line of these pieces.
    package init(_ segments: [Segment]) {
        for segment in segments { append(segment.text, segment.role) }
    }

    /// Adds a piece at the end.
    package mutating func append(_ text: SafeText, _ role: Role = .text) {
        guard !text.isEmpty else { return }
        segments.append(Segment(text, role))
        columns += text.columns
    }

    /// Adds another line at the end.
    package mutating func append(_ line: StyledLine) {
        segments.append(contentsOf: line.segments)
        columns += line.columns
    }

    /// Adds blanks up to a column; nothing when the line is there already.
    package mutating func pad(to column: Int) {
        guard column > columns else { return }
        append(SafeText(.space, count: column - columns))
    }

    /// As much from the start as fits in that many columns.
    package func prefix(columns limit: Int) -> StyledLine {
        guard columns > limit else { return self }
        var line = StyledLine()
        for segment in segments where line.columns < limit {
            let piece = segment.text.prefix(columns: limit - line.columns)
            line.append(piece, segment.role)
            if piece.columns < segment.text.columns { break }
        }
        return line
    }

    /// As much from the end as fits in that many columns.
    package func suffix(columns limit: Int) -> StyledLine {
        guard columns > limit else { return self }
        var pieces: [Segment] = []
        var left = limit
        for segment in segments.reversed() where left > 0 {
            let piece = segment.text.suffix(columns: left)
            pieces.append(Segment(piece, segment.role))
            left -= piece.columns
            if piece.columns < segment.text.columns { break }
        }
        return StyledLine(pieces.reversed())
    }

    /// At most that many columns, the end replaced by the ellipsis when something is cut.
    package func truncatedTail(to limit: Int, _ glyphs: Glyphs) -> StyledLine {
        guard columns > limit else { return self }
        guard limit > 1 else { return prefix(columns: limit) }
        var line = prefix(columns: limit - 1)
        line.append(SafeText(glyphs.ellipsis), .textMuted)
        return line
    }

    /// At most that many columns, cut in the middle so that a URL keeps its host and its tail.
    package func truncatedMiddle(to limit: Int, _ glyphs: Glyphs) -> StyledLine {
        guard columns > limit else { return self }
        guard limit > 4 else { return truncatedTail(to: limit, glyphs) }
        let end = suffix(columns: (limit - 1) / 3)
        var line = prefix(columns: limit - 1 - end.columns)
        line.append(SafeText(glyphs.ellipsis), .textMuted)
        line.append(end)
        return line
    }

    /// A URL from outside in the roles of its host, path and query. Nothing is decoded or corrected, and path and query
    /// are kept whole up to the sanitiser's byte limit, for views that wrap them.
    package static func url(_ text: String) -> StyledLine {
        let text = SafeText.kept(of: text, bytes: Sanitizer.byteLimit)
        let bytes = text.utf8
        let slash = UInt8(ascii: "/"), question = UInt8(ascii: "?"), hash = UInt8(ascii: "#")
        var hostEnd = bytes.startIndex
        // The authority begins after "//"; a text without it has no host to show.
        if let first = bytes.firstIndex(of: slash), bytes[bytes.index(after: first)...].first == slash {
            let start = bytes.index(first, offsetBy: 2)
            hostEnd = bytes[start...].firstIndex { $0 == slash || $0 == question || $0 == hash } ?? bytes.endIndex
        }
        let pathEnd = bytes[hostEnd...].firstIndex { $0 == question || $0 == hash } ?? bytes.endIndex
        var line = StyledLine()
        line.append(SafeText(outside: String(text[..<hostEnd])), .textURLHost)
        line.append(SafeText(outside: String(text[hostEnd..<pathEnd]), columns: Sanitizer.byteLimit), .textURLPath)
        line.append(SafeText(outside: String(text[pathEnd...]), columns: Sanitizer.byteLimit), .textURLQuery)
        return line
    }
}
