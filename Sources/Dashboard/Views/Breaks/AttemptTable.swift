import AdTracking
import Ports
import Screen
import Session

/// One URL with its tries as a table; wide tables also show the phases of each try.
enum AttemptTable {
    /// The least width at which the phases have columns of their own.
    private static let phaseWidth = 66
    /// The most columns of a header field's value.
    private static let headerColumns = 256

    /// Adds a URL, its last answer, its hops and its tries; `sign` is the state shown while there was no try.
    static func add(
        _ url: URLView, number: Int, of count: Int, sign: StateSign, _ context: ViewContext, to fields: inout FieldLines
    ) {
        fields.address(
            count == 1 ? "GET" : SafeText(outside: "GET \(number)/\(count)"),
            StyledLine.url(context.url(url.requested ?? url.url)))
        request(url, context, to: &fields)
        if let result = url.attempts.last?.exchange {
            fields.field("answer", answer(result, context))
            for header in result.hops.last?.fields ?? [] {
                var line = StyledLine(SafeText(outside: header.name, columns: 40), .textMuted)
                let value = context.field(header.name, header.value)
                line.append("  " + SafeText(outside: value, columns: headerColumns), .text)
                fields.field("", line)
            }
            fields.field("time", TimingBar.line(result.timings, context))
        } else if !url.attempts.isEmpty {
            fields.field("answer", "waiting for it", .stateBusy)
        } else {
            fields.field("state", context.badge(sign))
        }
        if let reason = url.reasonWords { fields.field("reason", reason.sentence, .textMuted) }
        if let result = url.attempts.last?.exchange { hops(result, context, to: &fields) }
        host(of: url, context, to: &fields)
        let isSimple = url.attempts.count == 1 && url.state == .acknowledged && fields.width < phaseWidth
        if !url.attempts.isEmpty, !isSimple {
            fields.blank()
            table(url.attempts, context, to: &fields)
        }
    }

    /// The header fields of the request: in narrow panes only those that the user gave for its host.
    private static func request(_ url: URLView, _ context: ViewContext, to fields: inout FieldLines) {
        let session = context.snapshot.session
        let isWide = fields.width >= phaseWidth
        let texts = isWide ? RequestFields.all(of: url, session) : RequestFields.given(for: url, session)
        for (index, text) in texts.enumerated() {
            let label: SafeText = index > 0 ? "" : isWide ? "request" : "adds"
            fields.field(label, StyledLine(SafeText(outside: text, columns: headerColumns), .text))
        }
    }

    private static func answer(_ result: BeaconAnswer, _ context: ViewContext) -> StyledLine {
        var line = EventDetail.answer(result, context)
        line.add("   \(TimeText.latency(.microseconds(result.timings.total)))", .textMuted)
        if let type = result.contentType { line.append("   " + SafeText(outside: type, columns: 32), .textMuted) }
        if result.failure == nil { line.add("   \(TimeText.bytes(result.bytes))", .textMuted) }
        return line
    }

    /// The other beacons to the same host.
    private static func host(of url: URLView, _ context: ViewContext, to fields: inout FieldLines) {
        guard !url.attempts.isEmpty, let name = try? WebURL(written: url.url).host,
            let host = context.snapshot.activity.hosts.first(where: { $0.host == name })
        else { return }
        var line = StyledLine(SafeText(outside: host.host, columns: 64), .text)
        line.add("   \(host.acknowledged.grouped) \(StateWord.done.rawValue)", .textMuted)
        line.add("   \(host.failed.grouped) \(StateWord.failed.rawValue)", host.failed > 0 ? .stateFailed : .textMuted)
        if host.unknown > 0 { line.add("   \(host.unknown.grouped) \(StateWord.unknown.rawValue)", .stateUnknown) }
        if let latency = host.latency95 {
            line.add("   p95 \(TimeText.latency(latency)) (time-outs counted)", .textMuted)
        }
        fields.field("host", line)
    }

    /// Redirects, each with its status; the last hop is the answer itself.
    private static func hops(_ result: BeaconAnswer, _ context: ViewContext, to fields: inout FieldLines) {
        guard result.hops.count > 1 else { return }
        for (index, hop) in result.hops.enumerated() {
            var line = StyledLine.of("\(hop.status) ", Role.http(hop.status))
            line.append(StyledLine.url(context.url(hop.url)))
            fields.address(SafeText(outside: "hop \(index + 1)"), line)
        }
    }

    private static func table(_ attempts: [AttemptView], _ context: ViewContext, to fields: inout FieldLines) {
        let hasPhases = fields.width >= phaseWidth
        let names = ["try", "at", "http"] + (hasPhases ? ["dns", "connect", "wait", "receive", "total"] : ["latency"])
        let columns = names + (hasPhases ? [] : ["bytes"])
        let widths = hasPhases ? [6, 15, 7, 7, 10, 8, 10, 8] : [6, 12, 7, 10, 8]
        fields.add(cells(columns.map { StyledLine.of($0, .textMuted) }, widths))
        for (index, attempt) in attempts.enumerated() {
            var row = [StyledLine.of("  \(index + 1)", .text)]
            row.append(
                .of(hasPhases ? TimeText.milliseconds(attempt.at.wall) : TimeText.tenths(attempt.at.wall), .text))
            if let result = attempt.exchange {
                row.append(EventOutcome.status(result))
                let timings = result.timings
                if hasPhases {
                    row += [timings.resolve, timings.connect, timings.wait, timings.receive, timings.total].map(phase)
                } else {
                    row += [phase(timings.total), .of("\(result.bytes)", .text)]
                }
            } else {
                row.append(StyledLine("in flight", .stateBusy))
            }
            fields.add(cells(row, widths))
        }
    }

    private static func phase(_ microseconds: Int64?) -> StyledLine {
        microseconds.map { .of(TimeText.latency(.microseconds($0)), .text) } ?? StyledLine("-", .textMuted)
    }

    private static func cells(_ parts: [StyledLine], _ widths: [Int]) -> StyledLine {
        var line = StyledLine()
        var column = 0
        for (index, part) in parts.enumerated() {
            line.append(part)
            guard index < parts.count - 1, index < widths.count else { break }
            column += widths[index]
            line.pad(to: column)
            if line.columns > column { line.space() }
        }
        return line
    }
}
