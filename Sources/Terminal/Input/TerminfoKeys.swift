package import Screen

/// Key sequences that a terminfo entry names: what makes an odd terminal's keys work (TERM-17).
///
/// Only sequences that start with an escape count: a lone control byte is also what a Ctrl chord sends.
package struct TerminfoKeys: Sendable, Equatable {
    /// No terminfo.
    package static let none = TerminfoKeys(sequences: [:])
    /// Longest sequence taken from an entry.
    package static let lengthLimit = 16

    private let sequences: [[UInt8]: KeyPress]
    private let prefixes: Set<[UInt8]>

    /// The capabilities that name keys, with the key each names.
    package static let capabilities: [(name: String, key: KeyPress)] = {
        var names: [(name: String, key: KeyPress)] = [
            ("kcuu1", KeyPress(.up)), ("kcud1", KeyPress(.down)), ("kcub1", KeyPress(.left)),
            ("kcuf1", KeyPress(.right)),
            ("khome", KeyPress(.home)), ("kend", KeyPress(.end)), ("kpp", KeyPress(.pageUp)),
            ("knp", KeyPress(.pageDown)),
            ("kich1", KeyPress(.insert)), ("kdch1", KeyPress(.delete)), ("kcbt", KeyPress(.backTab)),
            ("kbs", KeyPress(.backspace)), ("kent", KeyPress(.enter)),
            ("kind", KeyPress(.down, .shift)), ("kri", KeyPress(.up, .shift)),
            ("kLFT", KeyPress(.left, .shift)), ("kRIT", KeyPress(.right, .shift)),
            ("kHOM", KeyPress(.home, .shift)), ("kEND", KeyPress(.end, .shift)),
            ("kPRV", KeyPress(.pageUp, .shift)), ("kNXT", KeyPress(.pageDown, .shift)),
            ("kIC", KeyPress(.insert, .shift)), ("kDC", KeyPress(.delete, .shift)),
        ]
        names += (1...20).map { ("kf\($0)", KeyPress(.f($0))) }
        return names
    }()

    /// Asks `string` for every capability; sequences that the decoder reads the same way by itself are left out.
    package init(string: (String) -> [UInt8]?) {
        var found: [[UInt8]: KeyPress] = [:]
        for (name, key) in TerminfoKeys.capabilities {
            guard let bytes = string(name), bytes.first == Byte.escape,
                (2...TerminfoKeys.lengthLimit).contains(bytes.count)
            else { continue }
            var plain = InputDecoder()
            guard plain.feed(bytes, at: .zero) != [.key(key)], found[bytes] == nil else { continue }
            found[bytes] = key
        }
        self.init(sequences: found)
    }

    private init(sequences: [[UInt8]: KeyPress]) {
        self.sequences = sequences
        var prefixes = Set<[UInt8]>()
        for sequence in sequences.keys {
            for length in 1..<max(sequence.count, 1) { prefixes.insert(Array(sequence.prefix(length))) }
        }
        self.prefixes = prefixes
    }

    /// The longest known sequence that the bytes start with.
    func match(_ bytes: ArraySlice<UInt8>) -> (key: KeyPress, length: Int)? {
        guard !sequences.isEmpty else { return nil }
        for length in stride(from: min(bytes.count, TerminfoKeys.lengthLimit), to: 1, by: -1) {
            if let key = sequences[Array(bytes.prefix(length))] { return (key, length) }
        }
        return nil
    }

    /// Whether more bytes could make the bytes a known sequence.
    func isPrefix(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count < TerminfoKeys.lengthLimit && prefixes.contains(Array(bytes))
    }
}
