/// A URL in its normal form, cut at the marks of its parameters. Parameters are those of the query, those that ad servers
/// append to the path (`/activity;src=1;ord=4711?`), and the parts of the path that look generated.
///
/// The parts are places in the bytes of the URL: each beacon of each document is cut, so that no part may cost memory of its own.
struct URLParts {
    /// A parameter, or a part of the path.
    struct Pair {
        /// Name, equals sign and value; a part of the path with the slash before it.
        fileprivate(set) var whole: Range<Int>
        /// Empty for a part of the path.
        fileprivate(set) var name: Range<Int>
        /// Place of a part of the path; 0 for parameters.
        fileprivate(set) var index = 0
        /// Whether the value looks made by a generator.
        fileprivate(set) var looksGenerated = false

        var isOfPath: Bool { index > 0 }

        fileprivate var value: Range<Int> { min(name.upperBound + 1, whole.upperBound)..<whole.upperBound }
    }

    private let bytes: [UInt8]
    /// Scheme and host; those of the server that stands for it, where several take turns.
    private(set) var base: ArraySlice<UInt8>
    /// The path up to its first parameter, part by part, then the parameters by name: a server that keeps them in a table without
    /// order writes them in another one each time.
    private(set) var pairs: [Pair] = []
    /// Has taken what is constant before the query.
    private var constant = Hasher()

    init(_ url: String, hosts: TurningHosts = TurningHosts()) {
        bytes = Array(URLNormalForm.of(url).utf8)
        let text = bytes.prefix { $0 != UInt8(ascii: "#") }
        let address = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: ";") }
        let scheme = address.prefix { $0 != UInt8(ascii: ":") }
        let host = address[scheme.endIndex...].drop { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        let path = host.drop { $0 != UInt8(ascii: "/") }
        base = hosts.representative(of: text[..<path.startIndex])
        pairs.reserveCapacity(8)
        cut(path)
        let parameters = pairs.endIndex
        cutParameters(text[address.endIndex...])
        sortParameters(from: parameters)
        takeConstants()
    }

    /// The same at another server.
    func at(_ base: ArraySlice<UInt8>) -> Self {
        var moved = self
        moved.base = base
        moved.takeConstants()
        return moved
    }

    /// The name of a parameter.
    func name(of pair: Pair) -> ArraySlice<UInt8> { bytes[pair.name] }

    /// Name, equals sign and value.
    func whole(of pair: Pair) -> ArraySlice<UInt8> { bytes[pair.whole] }

    /// The value alone.
    func value(of pair: Pair) -> ArraySlice<UInt8> { bytes[pair.value] }

    /// Hash of the name or of the place in the path.
    func nameHash(of pair: Pair) -> Int {
        var hasher = Hasher()
        combineName(of: pair, into: &hasher)
        return hasher.finalize()
    }

    /// Hash of where `pair` is: what is constant before the query, and its name.
    func placeHash(of pair: Pair) -> Int {
        var hasher = constant
        combineName(of: pair, into: &hasher)
        return hasher.finalize()
    }

    /// Hash of a value and its place.
    func valueHash(of pair: Pair) -> Int {
        var hasher = constant
        combineName(of: pair, into: &hasher)
        hasher.combine(whole(of: pair))
        return hasher.finalize()
    }

    private func combineName(of pair: Pair, into hasher: inout Hasher) {
        hasher.combine(name(of: pair))
        hasher.combine(pair.index)
    }

    private mutating func takeConstants() {
        constant = Hasher()
        constant.combine(base)
        for part in pairs where part.isOfPath && !part.looksGenerated { constant.combine(whole(of: part)) }
    }

    private mutating func cut(_ path: ArraySlice<UInt8>) {
        var rest = path
        while !rest.isEmpty {
            let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            let start = rest.startIndex
            add(Pair(whole: start..<end, name: start..<start, index: pairs.count + 1))
            rest = rest[end...]
        }
    }

    private mutating func cutParameters(_ text: ArraySlice<UInt8>) {
        var rest = text
        while let start = rest.firstIndex(where: { !Self.separates($0) }) {
            let parameter = rest[start...].prefix { !Self.separates($0) }
            let name = parameter.prefix { $0 != UInt8(ascii: "=") }
            add(Pair(whole: parameter.startIndex..<parameter.endIndex, name: name.startIndex..<name.endIndex))
            rest = rest[parameter.endIndex...]
        }
    }

    private mutating func add(_ pair: Pair) {
        var pair = pair
        pair.looksGenerated = Self.looksGenerated(bytes[pair.value])
        pairs.append(pair)
    }

    /// By name; those of one name keep their order.
    private mutating func sortParameters(from first: Int) {
        guard pairs.endIndex - first > 1 else { return }
        let bytes = bytes
        bytes.withUnsafeBufferPointer { bytes in
            pairs[first...].sort { left, right in
                let (name, other) = (bytes[left.name], bytes[right.name])
                guard !name.elementsEqual(other) else { return left.whole.lowerBound < right.whole.lowerBound }
                return name.lexicographicallyPrecedes(other)
            }
        }
    }

    private static func separates(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?")
    }

    /// A value that a generator makes: six digits or more, or eight letters and digits mixed. A word with a few digits behind it
    /// is a name.
    private static func looksGenerated(_ value: ArraySlice<UInt8>) -> Bool {
        var digits = 0
        var others = 0
        var runsOfDigits = 0
        var wasDigit = false
        for byte in value {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if isDigit, !wasDigit { runsOfDigits += 1 }
            wasDigit = isDigit
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."):
                others += 1
            default: return false
            }
        }
        guard others > 0, runsOfDigits > 1 else { return digits >= 6 }
        return digits >= 2 && digits + others >= 8
    }
}

extension Hasher {
    /// The bytes and their number, so that two parts cannot run into each other.
    mutating func combine(_ part: ArraySlice<UInt8>) {
        combine(part.count)
        part.withUnsafeBytes { combine(bytes: $0) }
    }
}
