/// The encoding of a document's bytes.
package enum TextEncoding: String, Hashable, Sendable {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    case latin1 = "ISO-8859-1"
    case windows1252 = "windows-1252"
}

/// The text of a document as UTF-8 without byte order mark, or the reason why it cannot be decoded.
///
/// The byte order mark takes precedence over the first bytes, and these over the declaration (VAST-27): a .NET string
/// writer declares UTF-16 but writes UTF-8, so a reader that trusts declarations loses the document. The charset of an HTTP
/// answer counts only for bytes that are not UTF-8 and have no declaration: servers often send a default one.
package struct DecodedText: Sendable {
    /// Valid UTF-8; only up to `invalidOffset` when that is set.
    package let bytes: [UInt8]
    package let encoding: TextEncoding
    /// The encoding that the XML declaration names.
    package let declared: String?
    /// Whether the declaration contradicts the bytes.
    package let isMismatch: Bool
    /// Offset in the input of the first byte that is not valid in that encoding.
    package let invalidOffset: Int?

    package init(_ input: [UInt8], charset: String? = nil) {
        let mark = Self.byteOrderMark(input)
        let declaration = Self.declaredEncoding(input, from: mark?.length ?? 0)
        let byShape = mark?.encoding ?? Self.shape(input)
        let named = declaration.flatMap(Self.named)
        let byName = named ?? (declaration == nil ? Self.encoding(of: charset, for: input) : nil)
        encoding = byShape ?? (byName.flatMap { $0.isSingleByteOriented ? $0 : nil } ?? .utf8)
        declared = declaration
        isMismatch = declaration != nil && (named == nil || !Self.agree(named, encoding))
        let body = input[(mark?.length ?? 0)...]
        switch encoding {
        case .utf8:
            let invalid = UTF8Check.firstInvalid(input, from: body.startIndex)
            invalidOffset = invalid
            bytes = mark == nil && invalid == nil ? input : Array(body[..<(invalid ?? body.endIndex)])
        case .latin1, .windows1252:
            bytes = Self.fromSingleBytes(body, isWindows: encoding == .windows1252)
            invalidOffset = body.firstIndex(of: 0)
        case .utf16LittleEndian, .utf16BigEndian:
            (bytes, invalidOffset) = Self.fromUTF16(body, isBigEndian: encoding == .utf16BigEndian)
        }
    }

    /// A document as it is kept as text and without the header of its answer: in UTF-8. The mark in front of it takes precedence over what it
    /// declares.
    package static func standalone(_ input: [UInt8], charset: String?) -> [UInt8] {
        let text = DecodedText(input, charset: charset)
        guard text.encoding != .utf8, text.invalidOffset == nil else { return input }
        return utf8Mark + text.bytes
    }

    private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func byteOrderMark(_ input: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
        if input.starts(with: utf8Mark) { return (.utf8, 3) }
        if input.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if input.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    /// UTF-16 without a mark has a zero in each of its first two characters (XML 1.0 appendix F.1); other zeros are no text.
    private static func shape(_ input: [UInt8]) -> TextEncoding? {
        guard input.count >= 2 else { return nil }
        switch (input[0], input[1]) {
        case (UInt8(ascii: "<"), 0) where input.count < 4 || input[3] == 0: return .utf16LittleEndian
        case (0, UInt8(ascii: "<")) where input.count < 4 || input[2] == 0: return .utf16BigEndian
        default: return nil
        }
    }

    /// The value of `encoding` in the XML declaration, read as ASCII without zero bytes, so that it works for UTF-16,
    /// too.
    private static func declaredEncoding(_ input: [UInt8], from start: Int) -> String? {
        let window = input[start...].prefix(longestDeclaration)
        guard let close = window.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let head = window[..<close].filter { $0 != 0 }.drop { $0.isXMLSpace }
        guard head.starts(with: "<?xml".utf8), let range = head.firstRange(of: Array("encoding".utf8)) else {
            return nil
        }
        let rest = head[range.upperBound...].drop { $0.isXMLSpace || $0 == UInt8(ascii: "=") }
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let name = rest.dropFirst().prefix { $0 != quote }
        return String(validating: name, as: UTF8.self)
    }

    /// Bytes at the start that are searched for an XML declaration.
    private static let longestDeclaration = 400

    private static func encoding(of charset: String?, for input: [UInt8]) -> TextEncoding? {
        guard let encoding = charset.flatMap(named), encoding != .utf8 else { return nil }
        return UTF8Check.firstInvalid(input, from: 0) == nil ? nil : encoding
    }

    private static func named(_ name: String) -> TextEncoding? {
        switch name.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": .utf8
        case "utf-16", "utf-16le", "ucs-2", "iso-10646-ucs-2": .utf16LittleEndian
        case "utf-16be": .utf16BigEndian
        case "iso-8859-1", "latin1", "latin-1", "iso8859-1", "l1": .latin1
        case "windows-1252", "cp1252": .windows1252
        default: nil
        }
    }

    private static func agree(_ named: TextEncoding?, _ actual: TextEncoding) -> Bool {
        switch (named, actual) {
        // "utf-16" names either byte order; the mark decides.
        case (.utf16LittleEndian, .utf16BigEndian), (.utf16BigEndian, .utf16LittleEndian): true
        default: named == actual
        }
    }

    private static func fromSingleBytes(_ body: ArraySlice<UInt8>, isWindows: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count + body.count / 8)
        for byte in body {
            if byte < 0x80 {
                if byte == 0 { return bytes }
                bytes.append(byte)
            } else {
                let scalar = isWindows ? windowsScalar(byte) : Unicode.Scalar(byte)
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return bytes
    }

    /// The 27 characters that Windows assigns to C1 controls (WHATWG Encoding, index windows-1252).
    private static func windowsScalar(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        let table: [UInt32] = [
            0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
            0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
            0x0153, 0x9D, 0x017E, 0x0178,
        ]
        return Unicode.Scalar(table[Int(byte) - 0x80]) ?? Unicode.Scalar(byte)
    }

    private static func fromUTF16(_ body: ArraySlice<UInt8>, isBigEndian: Bool) -> (bytes: [UInt8], invalid: Int?) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count / 2 + body.count / 8)
        var index = body.startIndex
        func unit(at index: Int) -> UInt16? {
            guard index + 1 < body.endIndex else { return nil }
            let (first, second) = (UInt16(body[index]), UInt16(body[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        while index < body.endIndex {
            guard let high = unit(at: index), high != 0 else { return (bytes, index) }
            var scalar = UInt32(high)
            var length = 2
            if UTF16.isLeadSurrogate(high), let low = unit(at: index + 2), UTF16.isTrailSurrogate(low) {
                scalar = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF))
                length = 4
            }
            // A lone surrogate is not a scalar.
            guard let valid = Unicode.Scalar(scalar), let encoded = UTF8.encode(valid) else { return (bytes, index) }
            bytes.append(contentsOf: encoded)
            index += length
        }
        return (bytes, nil)
    }
}

extension TextEncoding {
    /// Encodings that only a declaration can distinguish; UTF-16 shows in the bytes themselves.
    fileprivate var isSingleByteOriented: Bool {
        switch self {
        case .utf8, .latin1, .windows1252: true
        case .utf16LittleEndian, .utf16BigEndian: false
        }
    }
}

extension UInt8 {
    /// Space, tab, carriage return or line feed (XML 1.0 production 3).
    var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}
