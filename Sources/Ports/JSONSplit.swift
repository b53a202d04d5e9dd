/// The elements of one array of a document's root, parsed separately: elements with the same bytes as in an earlier
/// text are not parsed again. Successive answers of a polled feed mostly repeat their content.
package struct JSONSplit: Sendable {
    /// One element of the array.
    package enum Element: Sendable {
        /// Equal to element `number` of the earlier text.
        case known(number: Int)
        /// An element that was parsed.
        case new(JSONValue)
    }

    /// A text and the ranges of its elements, for comparison with a later text.
    package struct Text: Sendable {
        fileprivate var bytes: [UInt8]
        /// The ranges of its objects; empty for other elements. Only an object ends independently of the bytes after
        /// it.
        fileprivate var ranges: [Range<Int>]

        package static let none = Text(bytes: [], ranges: [])
    }

    /// How many elements are compared with the next one, so that some may be removed or added; beyond that, elements
    /// are parsed again.
    private static let reach = 8

    let name: String
    private let earlier: Text
    private var next = 0
    private var ranges: [Range<Int>] = []
    /// Nil when the root has no such array. When the name repeats, the last member counts.
    package internal(set) var elements: [Element]?

    /// Splits the array `name` of the root; the parsed root does not contain it.
    package init(arrayNamed name: String, after earlier: Text = .none) {
        self.name = name
        self.earlier = earlier
    }

    /// The text for comparison with the next one.
    ///
    /// - Parameters:
    ///   - bytes: the parsed text.
    ///   - isKept: whether the element with that number may be recognised in the next text.
    package func text(_ bytes: [UInt8], isKept: (Int) -> Bool) -> Text {
        guard elements != nil else { return .none }
        return Text(bytes: bytes, ranges: ranges.enumerated().map { isKept($0.offset) ? $0.element : 0..<0 })
    }

    /// Starts an array of that name.
    mutating func begin() {
        elements = []
        ranges = []
        next = 0
    }

    /// Adds the element at the start of `rest` if it is known.
    ///
    /// - Parameter start: offset of `rest` in the text.
    /// - Returns: the length of the element in bytes, nil when it is not known.
    mutating func takeKnown(_ rest: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let candidates = earlier.ranges[next...].prefix(Self.reach)
        let number = earlier.bytes.withUnsafeBufferPointer { bytes in
            candidates.indices.first { index in
                !candidates[index].isEmpty && rest.begins(with: UnsafeBufferPointer(rebasing: bytes[candidates[index]]))
            }
        }
        guard let number else { return nil }
        next = number + 1
        elements?.append(.known(number: number))
        ranges.append(start..<start + earlier.ranges[number].count)
        return earlier.ranges[number].count
    }

    /// Adds a parsed element.
    mutating func take(_ value: JSONValue, at range: Range<Int>) {
        elements?.append(.new(value))
        if case .object = value { ranges.append(range) } else { ranges.append(0..<0) }
    }
}
