/// Names of parameters in any case, each as one number: every parameter of every URL is looked up.
struct ParameterNames: ExpressibleByArrayLiteral {
    /// Bytes of the longest name that has a number.
    private static let longest = 15

    private let numbers: [UInt128]
    /// A bit for the last five bits of each name's last letter: most names that are looked up have another one.
    private let lastLetters: UInt32

    /// - Parameter names: of at most 15 bytes; longer ones are never found.
    init(arrayLiteral names: String...) {
        numbers = names.compactMap { Self.number(of: $0.utf8) }
        lastLetters = numbers.reduce(0) { $0 | Self.lastLetter($1) }
    }

    /// - Parameter number: that of ``number(of:)``.
    func contains(_ number: UInt128) -> Bool {
        lastLetters & Self.lastLetter(number) != 0 && numbers.contains(number)
    }

    /// A number that a name shares with no other one but its spellings in capitals; nil where it is too long.
    static func number(of name: some Collection<UInt8>) -> UInt128? {
        guard name.count <= longest else { return nil }
        // A one in front keeps apart what begins with zeros.
        return name.reduce(1) { $0 &<< 8 | UInt128(lowercased($1)) }
    }

    private static func lastLetter(_ number: UInt128) -> UInt32 { 1 &<< UInt32(truncatingIfNeeded: number) }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
