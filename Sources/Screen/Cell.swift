/// One terminal cell in eight bytes: what is shown, what it means, which mark is over it.
///
/// A glyph is a scalar, or, for a base with combining marks, an index into the table of the grid that holds the cell;
/// so a cell means something only together with its grid (`Grid.cluster(of:)`).
package struct Cell: Hashable, Sendable {
    /// Glyph in bits 0–31, role in 32–39, mark in 40–47, width flags in 48–55.
    package let bits: UInt64

    static let wideFlag: UInt64 = 1 << 48
    static let continuationFlag: UInt64 = 2 << 48
    private static let roleMask: UInt64 = 0xFF << 32
    private static let markMask: UInt64 = 0xFF << 40

    /// A space in the role `text`.
    package static let blank = Cell(glyph: .space, role: .text)

    init(bits: UInt64) {
        self.bits = bits
    }

    init(glyph: Glyph, role: Role, flags: UInt64 = 0) {
        bits = UInt64(glyph.raw) | UInt64(role.rawValue) << 32 | flags
    }

    /// What is shown.
    package var glyph: Glyph { Glyph(raw: UInt32(truncatingIfNeeded: bits)) }
    /// What the cell means.
    package var role: Role { Role(rawValue: UInt8(truncatingIfNeeded: bits >> 32)) ?? .text }
    /// The mark over it.
    package var mark: Mark { Mark(rawValue: UInt8(truncatingIfNeeded: bits >> 40)) ?? .none }
    /// Whether this is the left half of a double-width glyph.
    package var isWide: Bool { bits & Cell.wideFlag != 0 }
    /// Whether this is the right half of a double-width glyph: nothing is written for it.
    package var isContinuation: Bool { bits & Cell.continuationFlag != 0 }
    /// Role and mark as one number, equal for cells of one style run.
    package var styleKey: UInt16 { UInt16(truncatingIfNeeded: bits >> 32) }

    /// Another glyph in the same role, mark and width.
    func with(glyph: Glyph) -> Cell {
        Cell(bits: bits & ~UInt64(UInt32.max) | UInt64(glyph.raw))
    }

    /// The same glyph in another role.
    func with(role: Role) -> Cell {
        Cell(bits: bits & ~Cell.roleMask | UInt64(role.rawValue) << 32)
    }

    /// The same glyph and role under another mark.
    func with(mark: Mark) -> Cell {
        Cell(bits: bits & ~Cell.markMask | UInt64(mark.rawValue) << 40)
    }

    /// A space of the same role and mark.
    var blanked: Cell {
        Cell(bits: bits & (Cell.roleMask | Cell.markMask) | UInt64(Glyph.space.raw))
    }
}

/// What one cell shows: a printable scalar, or an index into a cluster table. Made only by the sanitiser and `Glyphs`.
package struct Glyph: Hashable, Sendable {
    let raw: UInt32

    static let clusterFlag: UInt32 = 1 << 31
    static let space = Glyph(raw: 0x20)
    static let replacement = Glyph(raw: 0xFFFD)
    /// The right half of a double-width glyph.
    static let none = Glyph(raw: 0)

    init(raw: UInt32) {
        self.raw = raw
    }

    init(clusterIndex: Int) {
        raw = Glyph.clusterFlag | UInt32(truncatingIfNeeded: clusterIndex)
    }

    /// The scalar, nil for a cluster or a right half.
    package var scalar: Unicode.Scalar? {
        raw & Glyph.clusterFlag == 0 && raw != 0 ? Unicode.Scalar(raw) : nil
    }

    var clusterIndex: Int? {
        raw & Glyph.clusterFlag != 0 ? Int(raw & ~Glyph.clusterFlag) : nil
    }
}

/// A base scalar with one to four combining marks (TERM-19).
package struct Cluster: Hashable, Sendable {
    /// The most marks one base keeps; `setcchar` accepts no more (TERM-19).
    package static let markLimit = 4

    /// The spacing scalar.
    package let base: Unicode.Scalar
    private var marks = SIMD4<UInt32>()
    /// How many marks follow the base.
    package private(set) var markCount = 0

    init(base: Unicode.Scalar) {
        self.base = base
    }

    /// Adds a mark; past the limit it is dropped.
    mutating func append(_ mark: Unicode.Scalar) {
        guard markCount < Cluster.markLimit else { return }
        marks[markCount] = mark.value
        markCount += 1
    }

    /// Base and marks in order.
    package var scalars: [Unicode.Scalar] {
        [base] + (0..<markCount).compactMap { Unicode.Scalar(marks[$0]) }
    }
}
