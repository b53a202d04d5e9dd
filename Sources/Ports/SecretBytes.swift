/// What ends and separates values, names and authorities in texts with URLs.
extension UInt8 {
    private var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    /// Whether identifiers may contain the byte.
    package var isWordByte: Bool { isLetter || (0x30...0x39).contains(self) || self == 0x2D || self == 0x5F }
    var isNameByte: Bool { isWordByte || self == 0x2E }
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    var isPunctuation: Bool {
        switch self {
        case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: ")"): true
        default: false
        }
    }
    var endsValue: Bool {
        switch self {
        case 0...0x20, 0x7F, UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: false
        }
    }
    var endsAuthority: Bool { endsValue || self == UInt8(ascii: "/") || self == UInt8(ascii: "?") }
}
