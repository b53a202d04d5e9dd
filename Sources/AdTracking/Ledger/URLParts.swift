import Ports

/// A URL in its normal form, cut at the marks of its parameters. Parameters are those of the query, those that ad servers
/// append to the path (`/activity;src=1;ord=4711?`), and the parts of the path that look generated.
///
/// The parts are places in the bytes of the URL: each beacon of each document is cut, so that no part may cost memory of its own.
struct URLParts {
    /// A parameter, or a part of the path.
    struct Pair {
        fileprivate let start: Int
        fileprivate let nameEnd: Int
        fileprivate let end: Int
        /// Place of a part of the path; 0 for parameters.
        let index: Int

        var isOfPath: Bool { index > 0 }

        /// Name, equals sign and value; a part of the path with the slash before it.
        fileprivate var whole: Range<Int> { start..<end }
        /// Empty for a part of the path.
        fileprivate var name: Range<Int> { start..<nameEnd }
        fileprivate var value: Range<Int> { min(nameEnd + 1, end)..<end }
    }

    private let bytes: [UInt8]
    /// Scheme and host; those of the server that stands for it, where several take turns.
    private(set) var base: ArraySlice<UInt8>
    /// The path up to its first parameter, part by part, then the parameters by name: a server that keeps them in a table without
    /// order writes them in another one each time.
    let pairs: [Pair]
    /// Has taken what is constant before the query; nil unless places are asked for.
    private var constant: Hasher?

    /// - Parameter asksForPlaces: whether hashes of places or values are asked for: what they have in common is then found once.
    init(_ url: String, hosts: TurningHosts = TurningHosts(), asksForPlaces: Bool = false) {
        bytes = Array(URLNormalForm.of(url).utf8)
        let cut = bytes.withUnsafeBufferPointer { bytes in
            var cut = URLCut(bytes)
            cut.cut()
            return (pathStart: cut.pathStart, pairs: cut.pairs)
        }
        base = hosts.representative(of: bytes[..<cut.pathStart])
        pairs = cut.pairs
        if asksForPlaces { constant = hashOfConstants }
    }

    /// The same at another server.
    func at(_ base: ArraySlice<UInt8>) -> Self {
        var moved = self
        moved.base = base
        if constant != nil { moved.constant = moved.hashOfConstants }
        return moved
    }

    /// The name of a parameter.
    func name(of pair: Pair) -> ArraySlice<UInt8> { bytes[pair.name] }

    /// Name, equals sign and value.
    func whole(of pair: Pair) -> ArraySlice<UInt8> { bytes[pair.whole] }

    /// Whether the value alone is a text.
    func value(of pair: Pair, is text: String) -> Bool {
        text.utf8.count == pair.value.count && text.utf8.elementsEqual(bytes[pair.value])
    }

    /// The name in lower case as a number that no other name has; nil where it is longer than any name that means something.
    func nameNumber(of pair: Pair) -> UInt128? {
        // A slice of the array would count its users.
        bytes.withUnsafeBufferPointer { ParameterNames.number(of: $0[pair.name]) }
    }

    /// Whether the value looks made by a generator.
    func looksGenerated(_ pair: Pair) -> Bool {
        let look = look(of: pair)
        return look.isGenerated && !look.hasMarks
    }

    /// The same of a parameter whose value may have the marks of a time of day or of base64. Its name alone proves nothing then.
    func mayBeGenerated(_ pair: Pair) -> Bool {
        let look = look(of: pair)
        return look.isGenerated && (!look.hasMarks || !pair.isOfPath)
    }

    private func look(of pair: Pair) -> (isGenerated: Bool, hasMarks: Bool) {
        bytes.withUnsafeBufferPointer { GeneratedLook(bytes: $0).look(of: pair.value) }
    }

    /// Hash of the name or of the place in the path.
    func nameHash(of pair: Pair) -> Int {
        var hasher = Hasher()
        combineName(of: pair, into: &hasher)
        return hasher.finalize()
    }

    /// Hash of where `pair` is: what is constant before the query, and its name.
    func placeHash(of pair: Pair) -> Int {
        var hasher = constant ?? hashOfConstants
        combineName(of: pair, into: &hasher)
        return hasher.finalize()
    }

    /// Hash of a value and its place.
    func valueHash(of pair: Pair) -> Int {
        var hasher = constant ?? hashOfConstants
        combineName(of: pair, into: &hasher)
        hasher.combine(whole(of: pair))
        return hasher.finalize()
    }

    /// Gives a hash each part that identifies the beacon, which is the name alone of a pair that `isNameOnly`.
    func combine(into hasher: inout Hasher, isNameOnly: (Pair) -> Bool) {
        hasher.combine(base)
        bytes.withUnsafeBytes { bytes in
            for pair in pairs {
                let part = isNameOnly(pair) ? pair.name : pair.whole
                hasher.combine(part.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[part]))
            }
        }
    }

    private func combineName(of pair: Pair, into hasher: inout Hasher) {
        hasher.combine(name(of: pair))
        hasher.combine(pair.index)
    }

    private var hashOfConstants: Hasher {
        var hasher = Hasher()
        hasher.combine(base)
        for part in pairs where part.isOfPath && !looksGenerated(part) { hasher.combine(whole(of: part)) }
        return hasher
    }
}

/// Cuts the bytes of a URL at its marks. It steps through them itself: slices would count their users at each step.
private struct URLCut {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where the path begins: the end of scheme and host.
    private(set) var pathStart = 0
    /// Those of the path, then those of the query by name.
    private(set) var pairs: [URLParts.Pair] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func cut() {
        let addressEnd = first(from: 0, to: bytes.count) {
            $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "#")
        }
        let schemeEnd = first(from: 0, to: addressEnd) { $0 == UInt8(ascii: ":") }
        let hostStart = first(from: schemeEnd, to: addressEnd) { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        pathStart = first(from: hostStart, to: addressEnd) { $0 == UInt8(ascii: "/") }
        pairs.reserveCapacity(8)
        cutPath(to: addressEnd)
        cutParameters(from: addressEnd)
        sortParameters()
    }

    /// The first place whose byte is a mark; `end` where none is.
    private func first(from start: Int, to end: Int, where isMark: (UInt8) -> Bool) -> Int {
        var place = start
        while place < end, !isMark(bytes[place]) { place += 1 }
        return place
    }

    private mutating func cutPath(to pathEnd: Int) {
        var start = pathStart
        while start < pathEnd {
            let end = first(from: start + 1, to: pathEnd) { $0 == UInt8(ascii: "/") }
            pairs.append(URLParts.Pair(start: start, nameEnd: start, end: end, index: pairs.count + 1))
            start = end
        }
    }

    /// Up to the fragment.
    private mutating func cutParameters(from parametersStart: Int) {
        var start = parametersStart
        var nameEnd: Int?
        for place in parametersStart...bytes.count {
            let byte = place < bytes.count ? bytes[place] : UInt8(ascii: "#")
            switch byte {
            case UInt8(ascii: "="): nameEnd = nameEnd ?? place
            case UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                if place > start {
                    pairs.append(URLParts.Pair(start: start, nameEnd: nameEnd ?? place, end: place, index: 0))
                }
                guard byte != UInt8(ascii: "#") else { return }
                (start, nameEnd) = (place + 1, nil)
            default: break
            }
        }
    }

    /// By name; those of one name keep their order, and so does the path.
    private mutating func sortParameters() {
        let bytes = bytes
        pairs.sort { left, right in
            guard !left.isOfPath, !right.isOfPath else { return left.start < right.start }
            for (byte, other) in zip(left.name, right.name) where bytes[byte] != bytes[other] {
                return bytes[byte] < bytes[other]
            }
            return (left.name.count, left.start) < (right.name.count, right.start)
        }
    }
}

/// Whether a value looks made by a generator.
private struct GeneratedLook {
    let bytes: UnsafeBufferPointer<UInt8>

    /// A value that a generator makes: six digits or more, or eight letters and digits mixed. A word with a few digits behind it
    /// is a name, and what has two slashes in a row is an address.
    func look(of value: Range<Int>) -> (isGenerated: Bool, hasMarks: Bool) {
        var digits = 0
        var others = 0
        var runsOfDigits = 0
        var hasMarks = false
        var previous: UInt8 = 0
        var place = value.lowerBound
        while place < value.upperBound {
            let (byte, length) = character(at: place, before: value.upperBound)
            place += length
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                if !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(previous) { runsOfDigits += 1 }
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."):
                others += 1
            case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "+"):
                others += 1
                hasMarks = true
            case UInt8(ascii: "/") where previous != byte:
                others += 1
                hasMarks = true
            default: return (false, false)
            }
            previous = byte
        }
        guard others > 0, runsOfDigits > 1 else { return (digits >= 6, hasMarks) }
        return (digits >= 2 && digits + others >= 8, hasMarks)
    }

    /// The byte at a place, or the one that is escaped there, and how long it is.
    private func character(at place: Int, before end: Int) -> (byte: UInt8, length: Int) {
        guard bytes[place] == UInt8(ascii: "%"), place + 2 < end,
            let escaped = UInt8(hexDigits: bytes[place + 1], bytes[place + 2])
        else { return (bytes[place], 1) }
        return (escaped, 3)
    }
}

extension Hasher {
    /// The bytes and their number, so that two parts cannot run into each other.
    mutating func combine(_ part: ArraySlice<UInt8>) {
        combine(part.count)
        part.withUnsafeBytes { combine(bytes: $0) }
    }
}
