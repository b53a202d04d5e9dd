/// The names of one document: those of the vocabulary have fixed numbers, others are added as they occur.
struct NameTable: Sendable {
    /// The properties of one spelling.
    struct Entry: Sendable {
        var text: String
        var element: ElementName?
        var attribute: AttributeName?
        /// Whether some version of the standard uses this spelling.
        var isExact: Bool
    }

    private var added: [Entry] = []
    private var numbers: [String: UInt32] = [:]

    func element(_ number: UInt32) -> ElementName? {
        number < Self.known.count ? Self.known[Int(number)].element : added[Int(number) - Self.known.count].element
    }

    func attribute(_ number: UInt32) -> AttributeName? {
        number < Self.known.count ? Self.known[Int(number)].attribute : added[Int(number) - Self.known.count].attribute
    }

    func text(_ number: UInt32) -> String { entry(number).text }

    func entry(_ number: UInt32) -> Entry {
        number < Self.known.count ? Self.known[Int(number)] : added[Int(number) - Self.known.count]
    }

    mutating func number(elementNamed bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        if let number = Self.elementSlots.number(of: bytes) { return number }
        return add(bytes, prefix: "<") {
            NameTable.elementsByLowerCase[$0.lowercased()]
        } attribute: { _ in
            nil
        }
    }

    mutating func number(attributeNamed bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        if let number = Self.attributeSlots.number(of: bytes) { return number }
        return add(bytes, prefix: "@") { _ in
            nil
        } attribute: {
            NameTable.attributesByLowerCase[$0.lowercased()]
        }
    }

    private mutating func add(
        _ bytes: UnsafeBufferPointer<UInt8>, prefix: String, element: (String) -> ElementName?,
        attribute: (String) -> AttributeName?
    ) -> UInt32 {
        let text = String(decoding: bytes, as: UTF8.self)
        if let number = numbers[prefix + text] { return number }
        let number = UInt32(Self.known.count + added.count)
        numbers[prefix + text] = number
        added.append(Entry(text: text, element: element(text), attribute: attribute(text), isExact: false))
        return number
    }

    // MARK: The vocabulary

    private static let elementCount = ElementName.allCases.count

    static let known: [Entry] =
        ElementName.allCases.map { Entry(text: $0.rawValue, element: $0, attribute: nil, isExact: true) }
        + AttributeName.allCases.map { Entry(text: $0.rawValue, element: nil, attribute: $0, isExact: true) }
        + AttributeName.otherSpellings.map { Entry(text: $0.text, element: nil, attribute: $0.name, isExact: true) }

    private static let elementSlots = NameSlots(known.indices.lazy.filter { $0 < elementCount }.map { $0 }, known)
    private static let attributeSlots = NameSlots(known.indices.lazy.filter { $0 >= elementCount }.map { $0 }, known)

    private static let elementsByLowerCase = Dictionary(
        ElementName.allCases.map { ($0.rawValue.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    private static let attributesByLowerCase = Dictionary(
        AttributeName.allCases.map { ($0.rawValue.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
}

/// An open-addressing hash table over the bytes of the vocabulary: a name is looked up without converting it to a
/// String.
private struct NameSlots: Sendable {
    private let slots: [Int32]
    private let spellings: [[UInt8]]
    private let mask: Int

    init(_ numbers: [Int], _ entries: [NameTable.Entry]) {
        var size = 64
        while size < numbers.count * 4 { size *= 2 }
        var slots = [Int32](repeating: -1, count: size)
        let spellings = entries.map { Array($0.text.utf8) }
        for number in numbers {
            var slot = spellings[number].withUnsafeBufferPointer { Self.hash($0) } & (size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(number)
        }
        self.slots = slots
        self.spellings = spellings
        mask = size - 1
    }

    func number(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
        var slot = Self.hash(bytes) & mask
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if spellings[number].count == bytes.count, spellings[number].elementsEqual(bytes) { return UInt32(number) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// FNV-1a. Only names of the vocabulary are stored, so input cannot lengthen a chain.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash & 0x7FFF_FFFF)
    }
}
