import Fleet
import Ports
import Session

/// Collects the sums of the store.
struct FleetReportBuilder {
    /// Who inserts the ads of a viewer, and in which mode.
    struct Service: Hashable {
        var provider: String
        var mode: String?
    }

    private struct AdPlace: Hashable {
        var viewer: Int
        var ad: Int64
    }

    private struct AdFacts {
        var name: String
        var breakName: String
        var source: String?
        var start: UnixTime?
        var duration: Duration?
        var breakStart: UnixTime?
        var breakDuration: Duration?
        /// Where the break begins, the same for all its ads.
        var place: UnixTime?

        /// Whether both are of one break of that name. Its start may have moved between their first claims.
        func isBeside(_ other: AdFacts) -> Bool {
            if let breakStart, let begun = other.breakStart {
                return breakStart.microseconds.subtractingSaturating(begun.microseconds).magnitude
                    <= FleetReportBuilder.longestMove
            }
            guard let start, let begun = other.start else { return true }
            return start.microseconds.subtractingSaturating(begun.microseconds) <= FleetReportBuilder.longestBreak
        }
    }

    /// Microseconds by which a break may move, and between the starts of two of its ads where its own is not known.
    private static let longestMove: UInt64 = 60_000_000
    private static let longestBreak: Int64 = 3_600_000_000

    private struct BreakName: Hashable {
        var viewer: Int
        var name: String
    }

    private struct BreakKey: Hashable {
        var session: Int
        var name: String
        var start: UnixTime?
    }

    var viewerNames: [Int: String] = [:]
    /// Those of the viewers of each session of the report.
    var services: [String: Set<Service>] = [:]
    private var ads: [AdPlace: AdFacts] = [:]
    private var sessions: [String: Int] = [:]
    private var hosts: [String: JournalReport.Tally] = [:]
    private var breaks: [BreakKey: Int] = [:]
    private var adPlaces: [AdPlace: (adBreak: Int, ad: Int)] = [:]
    private var built = JournalReport()

    /// The report with its lists in order.
    var report: JournalReport {
        var report = built
        report.hosts = hosts.map { JournalReport.Host(name: $0.key, tally: $0.value) }
            .sorted { ($0.tally.due, $1.name) > ($1.tally.due, $0.name) }
        for index in report.breaks.indices {
            report.breaks[index].ads.sort {
                ($0.start?.microseconds ?? 0, $0.name) < ($1.start?.microseconds ?? 0, $1.name)
            }
        }
        report.breaks.sort {
            ($0.session, $0.start?.microseconds ?? 0, $0.name) < ($1.session, $1.start?.microseconds ?? 0, $1.name)
        }
        return report
    }

    mutating func addAd(_ row: PostgresRow) throws(StoreProblem) {
        let place = AdPlace(viewer: try row.integer("viewer"), ad: try row.integer("id", as: Int64.self))
        let duration = try row.optionalInteger("duration_ms", as: Int64.self)
        let breakDuration = try row.optionalInteger("break_ms", as: Int64.self)
        let start = try row.optionalTime("first_start")
        ads[place] = AdFacts(
            name: Self.name(try row.text("ad")), breakName: Self.name(try row.text("break")),
            // Pings and notices of auctions have none.
            source: try row.optionalText("source"), start: start?.microseconds == 0 ? nil : start,
            duration: duration.map { .milliseconds($0) },
            breakStart: try row.optionalTime("break_start"), breakDuration: breakDuration.map { .milliseconds($0) })
    }

    /// A service may use the name of a break again, every day or every hour: such breaks are not one. Where no start was listed, a break begins
    /// with its first ad.
    mutating func findBreaks() {
        let groups = Dictionary(grouping: ads.keys) { BreakName(viewer: $0.viewer, name: ads[$0]?.breakName ?? "") }
        for group in groups.values {
            var last: AdFacts?
            for place in group.sorted(by: startsEarlier) {
                guard var facts = ads[place] else { continue }
                facts.place = last.flatMap { facts.isBeside($0) ? $0.place : nil } ?? facts.breakStart ?? facts.start
                ads[place] = facts
                last = facts
            }
        }
    }

    private func startsEarlier(_ one: AdPlace, _ other: AdPlace) -> Bool {
        let starts = [one, other].map { ads[$0]?.start?.microseconds ?? .min }
        return (starts[0], one.ad) < (starts[1], other.ad)
    }

    /// The name from metadata, as in the report of a journal; a synthesized name is shown as it is.
    private static func name(_ text: String) -> String {
        text.utf8.first == UInt8(ascii: "=") ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// Adds the tally of a row to its host, its session and its ad.
    mutating func add(_ row: PostgresRow, _ tally: JournalReport.Tally) throws(StoreProblem) {
        let host = try row.optionalText("host") ?? ""
        built.totals.add(tally)
        hosts[host, default: JournalReport.Tally()].add(tally)
        let viewer = try row.optionalInteger("viewer")
        let session = session(channel: try row.text("channel"), viewer: viewer)
        built.sessions[session].tally.add(tally)
        guard let viewer, let ad = try row.optionalInteger("ad", as: Int64.self) else { return }
        let place = place(of: AdPlace(viewer: viewer, ad: ad), session)
        built.breaks[place.adBreak].tally.add(tally)
        built.breaks[place.adBreak].ads[place.ad].tally.add(tally)
        built.breaks[place.adBreak].ads[place.ad].add(tally, to: host)
    }

    private mutating func session(channel: String, viewer: Int?) -> Int {
        let name = viewer.map { "\(channel) viewer \(viewerNames[$0] ?? "of id \($0), removed")" } ?? channel
        let key = Self.key(channel: channel, viewer: viewer)
        if let known = sessions[key] { return known }
        sessions[key] = built.sessions.count
        built.sessions.append(
            JournalReport.Session(
                key: key, name: name, provider: shared(\.provider, of: key), serviceMode: shared(\.mode, of: key),
                runs: 0))
        return built.sessions.count - 1
    }

    /// What all viewers of a session of the report have; nil where those of a channel differ.
    private func shared(_ member: (Service) -> String?, of key: String) -> String? {
        let words = Set(services[key, default: []].map(member))
        return words.count == 1 ? words.first ?? nil : nil
    }

    /// What distinguishes the sessions of the report: viewers of one channel, else channels.
    static func key(channel: String, viewer: Int?) -> String { viewer.map { "\(channel)/\($0)" } ?? channel }

    private mutating func place(of ad: AdPlace, _ session: Int) -> (adBreak: Int, ad: Int) {
        if let known = adPlaces[ad] { return known }
        let facts = ads[ad] ?? AdFacts(name: "", breakName: "")
        let key = BreakKey(session: session, name: facts.breakName, start: facts.place)
        let adBreak = breaks[key] ?? built.breaks.count
        if adBreak == built.breaks.count {
            breaks[key] = adBreak
            built.breaks.append(
                JournalReport.Break(
                    session: session, name: facts.breakName, start: facts.place, duration: facts.breakDuration,
                    source: facts.source))
        }
        built.breaks[adBreak].ads.append(
            JournalReport.Ad(name: facts.name, start: facts.start, duration: facts.duration))
        let place = (adBreak, built.breaks[adBreak].ads.count - 1)
        adPlaces[ad] = place
        return place
    }

    /// What was claimed.
    static func claimed(_ row: PostgresRow) throws(StoreProblem) -> JournalReport.Tally {
        var tally = JournalReport.Tally()
        tally.acknowledged = try row.integer("acknowledged")
        let rejected = try row.integer("rejected")
        tally.failed = rejected + (try row.integer("failed"))
        tally.skipped = try row.integer("skipped")
        tally.unknown = try row.integer("unknown")
        let sum = try row.optionalInteger("late_sum_ms", as: Int64.self) ?? 0
        for (bucket, count) in try row.integers("late").enumerated() {
            tally.lateness.add(count, inBucket: bucket, sum: bucket == 0 ? .milliseconds(sum) : .zero)
        }
        return tally
    }
    /// What was not sent.
    static func unsent(_ row: PostgresRow) throws(StoreProblem) -> JournalReport.Tally {
        var tally = JournalReport.Tally()
        tally.observed = try row.integer("observed")
        tally.skipped = try row.integer("skipped")
        if let bucket = try row.optionalInteger("bound") {
            let sum = try row.optionalInteger("late_sum_ms", as: Int64.self) ?? 0
            tally.lateness.add(tally.observed, inBucket: bucket, sum: .milliseconds(sum))
        }
        return tally
    }
}

extension JournalReport.Ad {
    /// What was claimed of an ad at a host, and what was not sent, come one after the other.
    fileprivate mutating func add(_ tally: JournalReport.Tally, to host: String) {
        if let known = hosts.firstIndex(where: { $0.name == host }) {
            hosts[known].tally.add(tally)
        } else {
            hosts.append(JournalReport.Host(name: host, tally: tally))
        }
    }
}
