import AdTracking
import Ports

/// Saved answers of one session: what each changed, and all that they list.
struct MetadataReport {
    private struct File {
        var name: String
        var changes: ListingChanges
        var answer: SavedAnswer
    }

    private let provider: any SavedAnswerReader.Type
    private var files: [File] = []
    private var session: any SavedSession

    init(_ provider: any SavedAnswerReader.Type) {
        (self.provider, session) = (provider, provider.savedSession())
    }

    /// Reads the next answer.
    /// - Parameter charset: encoding that the transport names; nil for a file.
    /// - Returns: what it lists.
    @discardableResult
    mutating func add(
        _ bytes: [UInt8], charset: String? = nil, of file: String
    ) throws(MetadataProblem) -> ListedAnswer {
        let before = session.breaks
        let answer = try session.add(bytes, charset: charset)
        var alone = provider.savedSession()
        _ = try alone.add(bytes, charset: charset)
        let changes = ListingChanges(from: before, to: session.breaks, by: alone.breaks)
        files.append(File(name: file, changes: changes, answer: answer))
        return answer.listed
    }

    private var placed: [ListedBreak] { session.placement.placed(session.breaks) }

    /// What is wrong; findings about no node have no path.
    var findings: [Finding] {
        (session.findings + ListingLint.findings(in: session.breaks)).map { finding in
            var finding = finding
            if finding.path?.isEmpty == true { finding.path = nil }
            return finding
        }
    }

    // MARK: Text

    var lines: [String] {
        files.flatMap { lines($0) } + placed.flatMap { Self.lines($0) }
    }

    private func lines(_ file: File) -> [String] {
        var lines = ["\(file.name): \(file.answer.listed.breaks.count.counted("break"))"]
        if files.count > 1 {
            lines += file.changes.added.map { "  + \($0)" } + file.changes.changed.map { "  ~ \($0)" }
            lines += file.changes.dropped.map { "  - \($0)" }
        }
        guard let method = file.answer.nextMethod else { return lines }
        let body = file.answer.nextBody.map { " \($0.text())" } ?? ""
        return lines + ["  next request: \(method.rawValue)\(body)"]
    }

    private static func lines(_ adBreak: ListedBreak) -> [String] {
        let planned = adBreak.planned.map { ", marker \(seconds($0))" } ?? ""
        let start = adBreak.isExpected ? nowhere : time(adBreak.start, adBreak.date)
        var lines = [
            "break \(adBreak.id ?? "without id")  \(start)  \(seconds(adBreak.length))\(planned)"
        ]
        lines += events(adBreak.events, in: adBreak.length, indent: "  ")
        for ad in adBreak.ads {
            let kind = ad.isLinear ? "ad" : "overlay"
            let start = ad.isPlanned ? nowhere : time(ad.start, ad.date)
            lines.append("  \(kind) \(ad.id ?? "without id")  \(start)  \(seconds(ad.length))")
            lines += events(ad.events, in: ad.length, indent: "    ")
            lines += parts(ad.parts)
        }
        return lines
    }

    /// How many companions, verifications and icons an ad has; nothing for one without.
    private static func parts(_ parts: ListedParts) -> [String] {
        let counts = [
            ("companion", parts.companions.count), ("verification", parts.verifications.count),
            ("icon", parts.icons.count),
        ]
        let words = counts.filter { $0.1 > 0 }.map { $0.1.counted($0.0) }
        return words.isEmpty ? [] : ["    " + words.joined(separator: ", ")]
    }

    private static func events(_ events: [ListedEvent], in length: ExactDecimal?, indent: String) -> [String] {
        events.inOrder(inLength: length).map { event in
            let moment = event.offset(inLength: length).map { "+\(seconds($0))" } ?? "no time of its own"
            let party = event.isReportedByService ? ", reported by the service" : ""
            return "\(indent)\(event.name)  \(moment)  \(event.urls.count.counted("URL"))\(party)"
        }
    }

    /// What the media will place.
    private static let nowhere = "no place yet"

    private static func time(_ seconds: ExactDecimal, _ date: UnixTime?) -> String {
        date?.iso8601 ?? "at \(self.seconds(seconds))"
    }

    private static func seconds(_ seconds: ExactDecimal?) -> String {
        seconds.map { "\($0.rounded(toDecimals: 3)) s" } ?? "length unknown"
    }

    // MARK: JSON

    /// Schema `adtop-metadata/1`.
    var json: JSONValue {
        let (clock, breaks) = ListingJSON.breaks(placed)
        return [
            "schema": "adtop-metadata/1", "provider": .string(provider.name), "files": .array(files.map(Self.json)),
            "clock": .string(clock), "breaks": breaks,
            "findings": .array(
                findings.map { finding in
                    [
                        "rule": .string(finding.rule), "severity": .string(finding.severity.rawValue),
                        "node": .string(finding.path ?? ""), "message": .string(finding.message),
                    ]
                }),
        ]
    }

    private static func json(_ file: File) -> JSONValue {
        let texts = { (nodes: [String]) in JSONValue.array(nodes.map(JSONValue.string)) }
        return [
            "file": .string(file.name), "breaks": .optional(file.answer.listed.breaks.count),
            "added": texts(file.changes.added), "changed": texts(file.changes.changed),
            "dropped": texts(file.changes.dropped),
            "next": next(file.answer),
        ]
    }

    private static func next(_ answer: SavedAnswer) -> JSONValue {
        guard let method = answer.nextMethod else { return .null }
        return ["method": .string(method.rawValue), "body": answer.nextBody ?? .null]
    }
}
