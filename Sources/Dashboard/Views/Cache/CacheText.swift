import CreativeCache
import Ports
import Screen
import Session

/// The lines of the cache view.
enum CacheText {
    /// The lines shown without a cache.
    static let isOff = [
        StyledLine("no creative cache in this session", .text),
        StyledLine("adtop URL --cache starts one; adtop cache serve runs one on its own", .textMuted),
    ]

    static func empty(matching filter: String) -> [StyledLine] {
        filter.isEmpty
            ? [
                StyledLine("the cache is empty", .text),
                StyledLine("nothing was stored, or everything has expired", .textMuted),
            ] : ListPane.nothing(matches: filter)
    }

    /// Widths of the columns between id and origin.
    private enum Column {
        static let kind = 9
        static let number = 9
        static let hits = 6
        static let bidder = 12
        static let minimumID = 8
        static let uuid = 36
    }

    static func heading(width: Int) -> StyledLine {
        row(["id", "kind", "bytes", "age", "left", "hits", "bidder", "auction"].map { ($0, .textMuted) }, width: width)
    }

    /// The cells of a row, the same for creatives and zones.
    private struct Entry {
        var id: String
        var kind: String
        var bytes: Int
        var storedAt: UnixTime
        var expiresAt: UnixTime
        var hits: Int
        /// The last two columns.
        var origin: (String, String)
        /// Whether the id is a name, whose beginning alone is not enough.
        var isNamed = false

        init(_ row: CacheRow) {
            switch row {
            case .creative(let record):
                (id, kind, bytes, hits) = (record.id.text, record.kind.rawValue, record.byteCount, record.hits)
                (storedAt, expiresAt) = (record.storedAt, record.expiresAt)
                origin = (record.origin.bidder ?? "", record.origin.auction ?? "")
            case .zone(let zone, let part):
                (id, kind, bytes, hits) = (zone.zone, part.rawValue, zone.bytes(part), zone.hits)
                (storedAt, expiresAt) = (zone.storedAt, zone.expiresAt)
                origin = (part == .video ? zone.took : "", "zone")
                isNamed = true
            }
        }
    }

    static func row(_ row: CacheRow, _ context: ViewContext, width: Int) -> StyledLine {
        let entry = Entry(row)
        let now = context.now.wall
        let left = entry.expiresAt - now
        let isOver = left <= .zero
        return self.row(
            [
                (entry.id, isOver ? .textMuted : .text), (entry.kind, .text),
                (TimeText.bytes(entry.bytes), .text), (clock(now - entry.storedAt), .textMuted),
                (isOver ? "expired" : clock(left), isOver ? .stateFailed : left < .seconds(30) ? .stateRetry : .text),
                (entry.hits.grouped, entry.hits > 0 ? .stateDone : .textMuted), (entry.origin.0, .text),
                (entry.origin.1, .textMuted),
            ], width: width, naming: entry.isNamed ? context.glyphs : nil)
    }

    /// Eight cells; the id gets the spare columns, up to the length of a UUID. With `glyphs` it is a name, whose cut is marked.
    private static func row(
        _ cells: [(text: String, role: Role)], width: Int, naming glyphs: Glyphs? = nil
    ) -> StyledLine {
        let fixed = Column.kind + 3 * Column.number + Column.hits
        let id = min(max(width - fixed - 2 * Column.bidder, Column.minimumID), Column.uuid)
        let widths = [id + 1, Column.kind, Column.number, Column.number, Column.number, Column.hits, Column.bidder]
        var line = StyledLine()
        var column = 0
        for (index, cell) in cells.enumerated() {
            let limit = index < widths.count ? widths[index] : max(0, width - column)
            let room = max(0, limit - 1)
            var text = SafeText(outside: cell.text, columns: room)
            if index == 0, let glyphs { text = SafeText(outside: cell.text).truncatedTail(to: room, glyphs) }
            let isNumber = (2...5).contains(index)
            if isNumber { line.pad(to: column + max(0, limit - 2 - text.columns)) }
            line.append(text, cell.role)
            column += limit
            line.pad(to: min(column, width))
        }
        return line
    }

    /// `127.0.0.1:16257 http+https  leaf 83 d`
    static func address(_ address: CacheReport.Address?, at now: UnixTime) -> StyledLine {
        guard let address else { return StyledLine("not served", .paneTitle) }
        var line = StyledLine.of("127.0.0.1:\(address.port) \(address.isSecure ? "http+https" : "http")", .paneTitle)
        if let end = address.certificateEnd {
            let days = (end - now).inMilliseconds.flooringDivision(by: 86_400_000)
            line.add("  leaf \(days) d", days < 10 ? .stateFailed : .paneTitle)
        }
        return line
    }

    /// `0.1/16 MiB`
    static func share(_ bytes: Int, of limit: Int) -> String {
        let tenths = bytes.multipliedSaturating(by: 10) >> 20
        return "\(tenths / 10).\(tenths % 10)/\(limit >> 20) MiB"
    }

    /// Counts first, then problems, then the newest requests, as far as there are rows.
    static func footer(_ report: CacheReport, _ context: ViewContext, rows: Int, width: Int) -> [StyledLine] {
        var lines = [counts(report, width: width)]
        lines += report.problems.suffix(2).map { StyledLine.of(context.prose($0), .stateFailed) }
        lines += report.log.prefix(4).map { access($0, context) }
        return Array(lines.prefix(rows))
    }

    /// Where not all fits, what follows from the other counts is left out, and then the times.
    private static func counts(_ report: CacheReport, width: Int) -> StyledLine {
        let requests = StyledLine.of("requests \(report.requests.grouped)")
        let answers: [StyledLine] = [
            .of("hit \(report.hits.grouped)", report.hits > 0 ? .stateDone : .text),
            .of("miss \(report.misses.grouped)"),
            .of("rejected \(report.refused.grouped)", report.refused > 0 ? .stateRetry : .text),
        ]
        var times: [StyledLine] = []
        if let median = report.medianMicroseconds, let p95 = report.p95Microseconds {
            times = [.of("p50 \(milliseconds(median)) p95 \(milliseconds(p95)) ms")]
        }
        // Each hit saves a request to the remote cache.
        let saved = StyledLine.of("saved \(report.hits.grouped)", .textMuted)
        let some = answers + times
        let forms: [[StyledLine]] = [[requests] + some + [saved], [requests] + some, some, answers]
        let lines = forms.map { parts in
            parts.reduce(into: StyledLine()) { line, part in
                if line.columns > 0 { line.space(2) }
                line.append(part)
            }
        }
        return lines.first { $0.columns <= width } ?? lines[lines.count - 1]
    }

    static func access(_ record: AccessRecord, _ context: ViewContext) -> StyledLine {
        var line = StyledLine.of("\(TimeText.clock(record.at)) ", .logTime)
        let role: Role = record.status < 400 ? .http2xx : record.status < 500 ? .http4xx : .http5xx
        line.append(SafeText(outside: context.prose(record.text)), role)
        return line
    }

    static func milliseconds(_ microseconds: Int64) -> String { Duration.microseconds(microseconds).millisecondsText }

    /// `04:48`, and hours where there are any.
    static func clock(_ span: Duration) -> String {
        let seconds = max(0, span.inMilliseconds / 1_000)
        let minutes = "\((seconds / 60 % 60).zeroPadded(to: 2)):\((seconds % 60).zeroPadded(to: 2))"
        return seconds < 3_600 ? minutes : "\(seconds / 3_600):\(minutes)"
    }
}
