import HLS
import Ports

/// One date range with ad creative signaling.
struct SignaledRange: Sendable {
    /// Consecutive ads: those of a pod, or all slots of the range.
    struct Part: Sendable {
        /// Name of its break; nil where the range belongs to a break of several.
        var name: String?
        var start: UnixTime
        /// Nil while the length is unknown.
        var end: UnixTime?
        var ads: [Ad]
    }

    let id: String
    var start: UnixTime
    /// Nil while the playlist announces none.
    var length: Duration?
    /// The envelope as written.
    var text = ""
    var isRead = false
    var isListed = true
    /// Whether the playlist removed it before it was played.
    var isWithdrawn = false
    /// Whether its pods are breaks of their own.
    var isPod = false
    /// The number of the avail in ids such as `1234-2`, which ad-ID decoration gives to the ads of one avail.
    var avail: String?
    /// Name of the break it belongs to, fixed once it begins to play.
    var group: String?
    var parts: [Part] = []

    init(id: String, start: UnixTime) {
        self.id = id
        self.start = start
    }

    /// Where its media ends; nil while the length is unknown.
    var end: UnixTime? { length.map { start + $0 } ?? parts.compactMap(\.end).max() }

    /// Number of ads and events.
    var nodeCount: Int { parts.reduce(0) { $0 + $1.ads.reduce(0) { $0 + 1 + $1.events.count } } }

    mutating func clear() {
        (text, isRead, isPod, avail, parts) = ("", true, false, nil, [])
    }

    /// Reads the envelope.
    /// - Returns: violations of the rules of signaling.
    mutating func read() -> [Finding] {
        let signal = CreativeSignal.read(attribute: text, path: "\(id).\(CreativeSignal.member)")
        isPod = !signal.pods.isEmpty
        avail = signal.isBare ? Self.avail(of: id) : nil
        var findings = signal.findings
        for (index, pod) in signal.pods.enumerated() where !pod.slots.isEmpty || !pod.tracking.isEmpty {
            let from = pod.start ?? .zero
            let length = pod.duration ?? length.map { max(.zero, $0 - from) }
            let name = signal.pods.count > 1 ? "\(id)#\(index + 1)" : id
            append(pod.slots, pod.tracking, named: name, at: start + from, length: length, isOwn: true, &findings)
        }
        if !signal.slots.isEmpty || !signal.tracking.isEmpty {
            append(signal.slots, signal.tracking, named: id, at: start, length: length, isOwn: false, &findings)
        }
        return findings.map { finding in
            var finding = finding
            finding.message = "date range '\(id)': \(finding.message)"
            return finding
        }
    }

    private mutating func append(
        _ slots: [CreativeSignal.Slot], _ tracking: [CreativeSignal.Event], named name: String, at start: UnixTime,
        length: Duration?, isOwn: Bool, _ findings: inout [Finding]
    ) {
        var reader = SignaledAds(container: isOwn ? "pod" : "date range")
        reader.append(slots, at: start, length: length, named: name)
        if slots.isEmpty {
            reader.append(tracking, asAd: name, at: start, length: length)
        } else {
            reader.note(tracking, at: start, length: length)
        }
        findings += reader.findings.map { finding in
            var finding = finding
            finding.path = finding.path.map { "\(id)/\($0)" }
            return finding
        }
        let ads = reader.finished(else: Ad(name: name, start: start, duration: length ?? .zero))
        let isKnown = length != nil || ads.allSatisfy { $0.duration > .zero }
        let end = ads.reduce(start + (length ?? .zero)) { max($0, $1.end) }
        parts.append(Part(name: isOwn ? name : nil, start: start, end: isKnown ? end : nil, ads: ads))
    }

    /// The avail in the id of a range of ad-ID decoration; nil in other ids.
    static func avail(of id: String) -> String? {
        let numbers = id.split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2,
            numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return String(numbers[0])
    }
}
