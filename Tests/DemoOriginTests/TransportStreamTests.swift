import Testing

@testable import DemoOrigin

@Suite struct TransportStreamTests {
    @Test func aSegmentIsWholePackets() {
        let bytes = TransportStream.segment(5)
        #expect(bytes.count == TransportStream.packetBytes * TransportStream.packetsPerSegment)
        let heads = stride(from: 0, to: bytes.count, by: TransportStream.packetBytes)
        #expect(heads.allSatisfy { bytes[$0] == 0x47 })
        let pids = heads.map { Int(bytes[$0 + 1] & 0x1F) << 8 | Int(bytes[$0 + 2]) }
        #expect(pids == [0, 0x1000] + [Int](repeating: 0x1FFF, count: 6))
        #expect(bytes[3] == 0x15 && bytes[188 + 3] == 0x15, "payload only, counter of segment 5")
    }

    /// ISO/IEC 13818-1 annex A: the CRC over a section with its CRC is zero.
    @Test func tablesCarryTheirCRC() {
        let bytes = TransportStream.segment(0)
        for start in [5, 188 + 5] {
            let length = Int(bytes[start + 1] & 0x0F) << 8 | Int(bytes[start + 2])
            var crc: UInt32 = 0xFFFF_FFFF
            for byte in bytes[start..<start + 3 + length] {
                for bit in (0..<8).reversed() {
                    let isSet = (crc >> 31) ^ UInt32((byte >> bit) & 1) == 1
                    crc = isSet ? (crc << 1) ^ 0x04C1_1DB7 : crc << 1
                }
            }
            #expect(crc == 0)
        }
        // The usual program association table: program 1 on PID 0x1000.
        #expect(
            Array(bytes[5..<21]) == [
                0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC1, 0x00, 0x00, 0x00, 0x01, 0xF0, 0x00, 0x2A, 0xB1, 0x04, 0xB2,
            ])
    }
}
