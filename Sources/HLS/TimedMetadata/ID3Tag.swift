/// An ID3 tag of version 2.3 or 2.4, as timed metadata of HLS carries it (RFC 8216bis-22 section 3.1.4; id3.org, "ID3 tag version 2.4.0").
package struct ID3Tag: Hashable, Sendable {
    /// Most frames of a tag that are read, and bytes of a tag.
    package static let frameLimit = 64
    package static let byteLimit = 64 << 10

    package struct Frame: Hashable, Sendable {
        /// Four characters, e.g. `TXXX`.
        package var id: String
        /// The description of a text of the user's own, the owner of a private frame; empty for other frames.
        package var description = ""
        /// The text of a text frame.
        package var text = ""
        /// What follows the description.
        package var content: [UInt8] = []
    }

    package private(set) var frames: [Frame] = []
    /// Number of bytes with its header, and with its footer if it has one.
    let byteCount: Int

    /// What a tag begins with.
    static let mark = Array("ID3".utf8)
    private static let headerBytes = 10

    /// The tag at the start of the bytes; nil if there is none, or it is cut.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var reader = BigEndianReader(bytes)
        guard let mark = reader.take(3), mark.elementsEqual(Self.mark), let version = reader.number(1),
            (3...4).contains(version), reader.skip(1), let flags = reader.number(1),
            let size = reader.take(4).flatMap(Self.synchsafe), size <= Self.byteLimit, let body = reader.take(size)
        else { return nil }
        // Version 2.4 may repeat the header behind the frames.
        byteCount = Self.headerBytes + size + (version == 4 && flags & 0x10 != 0 ? Self.headerBytes : 0)
        // In 2.4 each frame has a flag of its own.
        let plain = flags & 0x80 != 0 && version == 3 ? Self.synchronised(body) : Array(body)
        var frames = BigEndianReader(plain[...])
        if flags & 0x40 != 0, !Self.skipExtension(&frames, version) { return }
        while self.frames.count < Self.frameLimit, let frame = Self.frame(&frames, version) {
            if let frame { self.frames.append(frame) }
        }
    }

    private static func skipExtension(_ reader: inout BigEndianReader, _ version: UInt64) -> Bool {
        guard let size = reader.take(4) else { return false }
        if version == 3 { return reader.skip(Int(size.reduce(0) { $0 << 8 | UInt32($1) })) }
        guard let whole = synchsafe(size), whole >= 4 else { return false }
        return reader.skip(whole - 4)
    }

    /// The next frame; nil at the end of frames, and a frame of nil for one that is compressed or encrypted.
    private static func frame(_ reader: inout BigEndianReader, _ version: UInt64) -> Frame?? {
        guard let id = reader.take(4), id.allSatisfy(isPartOfID),
            let size = reader.take(4)
        else { return nil }
        let count = length(size, version, before: reader.rest)
        guard let flags = reader.number(2), var content = reader.take(count) else { return nil }
        let format = version == 4 ? flags & 0x0F : 0
        guard format & 0x0C == 0, version == 4 || flags & 0xC0 == 0 else { return .some(nil) }
        // A group, and the length of the content, stand before it.
        let extra = (version == 4 && flags & 0x40 != 0 ? 1 : 0) + (format & 0x01 != 0 ? 4 : 0)
        content = content.dropFirst(extra)
        let bytes = format & 0x02 != 0 ? synchronised(content) : Array(content)
        return Frame(String(decoding: id, as: UTF8.self), bytes)
    }

    private static func isPartOfID(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
    }

    /// The length of a frame. Some writers of version 2.4 write it as version 2.3 does, which what follows the frame shows.
    private static func length(_ size: ArraySlice<UInt8>, _ version: UInt64, before rest: ArraySlice<UInt8>) -> Int {
        let plain = Int(size.reduce(0) { $0 << 8 | UInt32($1) })
        guard version == 4, let spread = synchsafe(size) else { return plain }
        func fits(_ length: Int) -> Bool {
            let next = rest.dropFirst(2 + length).first ?? 0
            return 2 + length <= rest.count && (next == 0 || isPartOfID(next))
        }
        return fits(spread) || !fits(plain) ? spread : plain
    }

    /// Each byte has seven bits; nil if one has eight.
    private static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.reduce(0) { $0 << 7 | Int($1) }
    }

    /// Without the zeros that keep decoders of audio from seeing a frame of theirs.
    private static func synchronised(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var isAfterFF = false
        for byte in bytes {
            if !(isAfterFF && byte == 0) { plain.append(byte) }
            isAfterFF = byte == 0xFF
        }
        return plain
    }
}

extension ID3Tag.Frame {
    fileprivate init(_ id: String, _ bytes: [UInt8]) {
        self.id = id
        content = bytes
        if id == "PRIV" {
            var reader = BigEndianReader(bytes[...])
            guard let owner = reader.terminated() else { return }
            (description, content) = (String(decoding: owner, as: UTF8.self), Array(reader.rest))
        } else if id.hasPrefix("T"), let encoding = bytes.first.flatMap(ID3Encoding.init) {
            var rest = bytes.dropFirst()
            if id == "TXXX" { description = encoding.text(upToTerminator: &rest) }
            content = Array(rest)
            text = encoding.text(upToTerminator: &rest)
        }
    }
}

/// How the text of a frame is written.
private enum ID3Encoding: UInt8 {
    case latin1, utf16, utf16BigEndian, utf8

    /// The text before the terminator, or all of it; both are taken.
    func text(upToTerminator bytes: inout ArraySlice<UInt8>) -> String {
        let width = self == .latin1 || self == .utf8 ? 1 : 2
        var end = bytes.startIndex
        while end + width <= bytes.endIndex, bytes[end..<end + width].contains(where: { $0 != 0 }) { end += width }
        let written = bytes[bytes.startIndex..<min(end, bytes.endIndex)]
        bytes = bytes[min(end + width, bytes.endIndex)...]
        switch self {
        case .latin1: return String(String.UnicodeScalarView(written.map { UnicodeScalar($0) }))
        case .utf8: return String(decoding: written, as: UTF8.self)
        case .utf16, .utf16BigEndian: return Self.wide(written, isMarked: self == .utf16)
        }
    }

    private static func wide(_ bytes: ArraySlice<UInt8>, isMarked: Bool) -> String {
        let isLittle = isMarked && bytes.starts(with: [0xFF, 0xFE])
        let hasMark = isMarked && (isLittle || bytes.starts(with: [0xFE, 0xFF]))
        let units = Array(bytes.dropFirst(hasMark ? 2 : 0))
        let words = stride(from: 0, to: units.count - units.count % 2, by: 2).map { index in
            let (first, second) = (UInt16(units[index]), UInt16(units[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(decoding: words, as: UTF16.self)
    }
}
