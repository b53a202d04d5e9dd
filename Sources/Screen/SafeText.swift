/// Text that a terminal shows as it is: the only kind the grid accepts (TERM-26).
///
/// Text from outside becomes safe through `init(outside:)`, which escapes visibly and never strips; our own words are
/// literals, which no run-time value can be. Printable ASCII stays a `String`, so the common case costs one check.
package struct SafeText: Sendable, ExpressibleByStringLiteral {
    enum Storage: Sendable {
        /// Only U+0020–U+007E.
        case ascii(String)
        case units([Unit], [Cluster])
    }

    /// One glyph in four bytes: a scalar or an index into the clusters, and its flags.
    struct Unit: Hashable, Sendable {
        static let wide: UInt32 = 1 << 29
        static let escaped: UInt32 = 1 << 30
        static let valueMask: UInt32 = (1 << 24) - 1

        /// Value in bits 0–23, wide in 29, escaped in 30, cluster in 31.
        var bits: UInt32

        var isWide: Bool { bits & Unit.wide != 0 }
        var isEscaped: Bool { bits & Unit.escaped != 0 }
        var columns: Int { isWide ? 2 : 1 }
        var value: UInt32 { bits & Unit.valueMask }
        var clusterIndex: Int? { bits & Glyph.clusterFlag != 0 ? Int(value) : nil }
    }

    /// Text without any glyph.
    package static let empty = SafeText(storage: .ascii(""), columns: 0)

    let storage: Storage
    /// How many cells the text takes.
    package let columns: Int

    init(storage: Storage, columns: Int) {
        self.storage = storage
        self.columns = columns
    }

    /// Our own words. They pass the sanitiser too: a slip in a literal must not move a cursor either.
    package init(_ literal: StaticString) {
        self.init(outside: literal.description, columns: .max)
    }

    /// Our own words, written where safe text is expected.
    package init(stringLiteral value: StaticString) {
        self.init(value)
    }

    /// The same glyph several times, for bars and rules.
    package init(_ glyph: Glyph, count: Int = 1) {
        let count = min(max(count, 0), Size.limit)
        guard let scalar = glyph.scalar else {
            self = .empty
            return
        }
        if scalar.isASCII {
            self.init(storage: .ascii(String(repeating: String(scalar), count: count)), columns: count)
        } else {
            self.init(storage: .units([Unit](repeating: Unit(bits: glyph.raw), count: count), []), columns: count)
        }
    }

    /// Whether there is nothing to show.
    package var isEmpty: Bool { columns == 0 }

    /// The text as shown, escapes included: for titles, logs and exit messages.
    package var string: String {
        switch storage {
        case .ascii(let text): return text
        case .units(let units, let clusters):
            var text = String.UnicodeScalarView()
            for unit in units {
                if let index = unit.clusterIndex {
                    text.append(contentsOf: clusters[index].scalars)
                } else if let scalar = Unicode.Scalar(unit.value) {
                    text.append(scalar)
                }
            }
            return String(text)
        }
    }

    /// Units and clusters whatever the storage.
    var parts: (units: [Unit], clusters: [Cluster]) {
        switch storage {
        case .ascii(let text): (text.utf8.map { Unit(bits: UInt32($0)) }, [])
        case .units(let units, let clusters): (units, clusters)
        }
    }
}

extension SafeText: Equatable {
    /// Equal when they show the same glyphs with the same escapes.
    package static func == (lhs: SafeText, rhs: SafeText) -> Bool {
        guard lhs.columns == rhs.columns else { return false }
        if case .ascii(let left) = lhs.storage, case .ascii(let right) = rhs.storage { return left == right }
        let (left, leftClusters) = lhs.parts, (right, rightClusters) = rhs.parts
        return left.count == right.count
            && zip(left, right).allSatisfy { one, other in
                guard let index = one.clusterIndex, let otherIndex = other.clusterIndex else { return one == other }
                return one.isEscaped == other.isEscaped && leftClusters[index] == rightClusters[otherIndex]
            }
    }
}

extension SafeText {
    /// One text after the other.
    package static func + (lhs: SafeText, rhs: SafeText) -> SafeText {
        if lhs.isEmpty { return rhs }
        if rhs.isEmpty { return lhs }
        if case .ascii(let left) = lhs.storage, case .ascii(let right) = rhs.storage {
            return SafeText(storage: .ascii(left + right), columns: lhs.columns + rhs.columns)
        }
        var (units, clusters) = lhs.parts
        let (more, moreClusters) = rhs.parts
        let offset = UInt32(truncatingIfNeeded: clusters.count)
        units.append(contentsOf: more.map { $0.clusterIndex == nil ? $0 : Unit(bits: $0.bits &+ offset) })
        clusters.append(contentsOf: moreClusters)
        return SafeText(storage: .units(units, clusters), columns: lhs.columns + rhs.columns)
    }

    /// As many whole glyphs from the start as fit in that many columns.
    package func prefix(columns limit: Int) -> SafeText {
        if columns <= limit { return self }
        guard limit > 0 else { return .empty }
        switch storage {
        case .ascii(let text):
            return SafeText(storage: .ascii(String(text.utf8.prefix(limit)) ?? ""), columns: limit)
        case .units(let units, let clusters):
            var taken = 0, count = 0
            while count < units.count, taken + units[count].columns <= limit {
                taken += units[count].columns
                count += 1
            }
            return SafeText(storage: .units(Array(units[..<count]), clusters), columns: taken)
        }
    }

    /// As many whole glyphs from the end as fit in that many columns.
    package func suffix(columns limit: Int) -> SafeText {
        if columns <= limit { return self }
        guard limit > 0 else { return .empty }
        switch storage {
        case .ascii(let text):
            return SafeText(storage: .ascii(String(text.utf8.suffix(limit)) ?? ""), columns: limit)
        case .units(let units, let clusters):
            var taken = 0, first = units.count
            while first > 0, taken + units[first - 1].columns <= limit {
                first -= 1
                taken += units[first].columns
            }
            return SafeText(storage: .units(Array(units[first...]), clusters), columns: taken)
        }
    }

    /// At most that many columns, the end replaced by the glyph set's ellipsis when something is cut.
    package func truncatedTail(to limit: Int, _ glyphs: Glyphs) -> SafeText {
        if columns <= limit { return self }
        guard limit > 1 else { return prefix(columns: limit) }
        return prefix(columns: limit - 1) + SafeText(glyphs.ellipsis)
    }

    /// At most that many columns, cut in the middle so that a URL keeps its host and its tail (TERM-31).
    package func truncatedMiddle(to limit: Int, _ glyphs: Glyphs) -> SafeText {
        if columns <= limit { return self }
        guard limit > 4 else { return truncatedTail(to: limit, glyphs) }
        let tail = (limit - 1) / 3
        let end = suffix(columns: tail)
        return prefix(columns: limit - 1 - end.columns) + SafeText(glyphs.ellipsis) + end
    }

    /// Filled with spaces at the end up to that many columns; longer text stays as it is.
    package func padded(to width: Int) -> SafeText {
        columns >= width ? self : self + SafeText(.space, count: width - columns)
    }

    /// Filled with spaces at the start up to that many columns; longer text stays as it is.
    package func paddedStart(to width: Int) -> SafeText {
        columns >= width ? self : SafeText(.space, count: width - columns) + self
    }
}
