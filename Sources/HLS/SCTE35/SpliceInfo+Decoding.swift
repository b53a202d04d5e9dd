extension SpliceInfo {
    /// The longest section in bytes: section_length is capped at 4093, and it does not count the first three bytes.
    package static let longestSection = 4_096

    /// Bytes of the fixed fields after section_length, up to and including splice_command_type.
    private static let fixedLength = 11
    private static let crcLength = 4

    /// Decodes one section. Bytes after its end are ignored; a wrong CRC sets `isCRCValid` to false.
    package init(_ bytes: [UInt8]) throws(SpliceInfoProblem) {
        guard bytes.first == Self.tableID else { throw SpliceInfoProblem(.tableID, offset: 0) }
        var header = SpliceBitReader(bytes, in: 1..<bytes.count)
        // section_syntax_indicator and private_indicator carry no information here.
        try header.skip(2)
        sapType = try header.number(2)
        sectionLength = try header.number(12)
        let end = 3 + sectionLength
        guard end <= Self.longestSection else { throw SpliceInfoProblem(.tooLong, offset: 1) }
        guard end <= bytes.count else { throw SpliceInfoProblem(.truncated, offset: bytes.count) }
        guard sectionLength >= Self.fixedLength + Self.crcLength else {
            throw SpliceInfoProblem(.sectionLength, offset: 1)
        }
        let crcStart = end - Self.crcLength
        var reader = SpliceBitReader(bytes, in: 3..<crcStart)
        protocolVersion = try reader.number(8)
        isEncrypted = try reader.flag()
        encryptionAlgorithm = try reader.number(6)
        ptsAdjustment = try reader.bits(33)
        controlWordIndex = try reader.number(8)
        tier = try reader.number(12)
        commandLength = try reader.number(12)
        var tail = SpliceBitReader(bytes, in: crcStart..<end)
        crc = try tail.word()
        isCRCValid = SpliceCRC.checksum(bytes[..<crcStart]) == crc
        command = nil
        descriptors = nil
        descriptorsProblem = nil
        guard !isEncrypted else { return }
        command = try SpliceCommand.read(from: &reader, length: commandLength)
        let loop = SpliceDescriptor.readLoop(from: &reader)
        descriptors = loop.descriptors
        descriptorsProblem = loop.problem
    }
}

/// CRC-32/MPEG-2: polynomial 0x04C11DB7, initial value all ones, neither reflected nor inverted.
enum SpliceCRC {
    /// The checksum of `bytes`.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { crc, byte in
            crc << 8 ^ table[Int((crc >> 24 ^ UInt32(byte)) & 0xFF)]
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { crc, _ in
            crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7
        }
    }
}
