/// The elements of one array of a document's root, read apart: those that stand in an earlier text byte for byte are not
/// read again. Feeds that are polled mostly repeat what they said before.
package struct JSONSplit: Sendable {
    /// One element of the array.
    package enum Element: Sendable {
        /// It is element `number` of the earlier text.
        case known(number: Int)
        /// It was read.
        case new(JSONValue)
    }

    /// Where a text's elements stand that can be known again.
    package struct Text: Sendable {
        fileprivate var bytes: [UInt8]
        /// Of its objects; empty for other elements. Only an object ends where its bytes say so, whatever follows.
        fileprivate var ranges: [Range<Int>]

        package static let none = Text(bytes: [], ranges: [])
    }

    /// Elements looked at for the next one, so that some may leave and come: more in one place are read again.
    private static let reach = 8

    let name: String
    private let earlier: Text
    private var next = 0
    private var ranges: [Range<Int>] = []
    /// Nil where the root has no such array. Of several members of that name the last counts.
    package internal(set) var elements: [Element]?

    /// - Parameter name: of the array among the members of the root, which then are without it.
    package init(arrayNamed name: String, after earlier: Text = .none) {
        self.name = name
        self.earlier = earlier
    }

    /// What the next text is compared with.
    /// - Parameters:
    ///   - bytes: the text that was read.
    ///   - isKept: whether the element of that number may be known again.
    package func text(_ bytes: [UInt8], isKept: (Int) -> Bool) -> Text {
        guard elements != nil else { return .none }
        return Text(bytes: bytes, ranges: ranges.enumerated().map { isKept($0.offset) ? $0.element : 0..<0 })
    }

    /// An array of that name begins.
    mutating func begin() {
        elements = []
        ranges = []
        next = 0
    }

    /// Takes the element that `rest` begins with when it is known.
    /// - Parameter start: where `rest` begins in the text.
    /// - Returns: how many bytes it is long.
    mutating func takeKnown(_ rest: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let candidates = earlier.ranges[next...].prefix(Self.reach)
        let number = earlier.bytes.withUnsafeBufferPointer { bytes in
            candidates.indices.first { Self.begins(rest, with: UnsafeBufferPointer(rebasing: bytes[candidates[$0]])) }
        }
        guard let number else { return nil }
        next = number + 1
        elements?.append(.known(number: number))
        ranges.append(start..<start + earlier.ranges[number].count)
        return earlier.ranges[number].count
    }

    /// Takes an element that was read.
    mutating func take(_ value: JSONValue, at range: Range<Int>) {
        elements?.append(.new(value))
        if case .object = value { ranges.append(range) } else { ranges.append(0..<0) }
    }

    /// Eight bytes at a time: most of a document is compared with the one before.
    private static func begins(_ text: UnsafeBufferPointer<UInt8>, with start: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !start.isEmpty, start.count <= text.count, let known = UnsafeRawPointer(start.baseAddress),
            let new = UnsafeRawPointer(text.baseAddress)
        else { return false }
        var index = 0
        while index &+ 8 <= start.count {
            guard
                known.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    == new.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            else { return false }
            index &+= 8
        }
        while index < start.count {
            guard start[index] == text[index] else { return false }
            index &+= 1
        }
        return true
    }
}
