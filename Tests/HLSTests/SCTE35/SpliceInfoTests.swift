import Ports
import Testing

@testable import HLS

/// ANSI/SCTE 35 2022b sections 9.6 and 9.7, where the shared vectors have no case.
struct SpliceInfoTests {
    private static func decode(
        _ command: UInt8, _ body: [(UInt64, Int)], commandLength: Int? = nil
    ) throws(SpliceInfoProblem) -> SpliceInfo {
        let bytes = SpliceSectionWriter(body).bytes
        return try SpliceInfo(SpliceSectionWriter.section(command: command, body: bytes, commandLength: commandLength))
    }

    @Test func checksumOfTheStandardText() {
        #expect(SpliceSectionWriter.crc(Array("123456789".utf8)) == 0x0376_E6E7)
        #expect(SpliceCRC.checksum(Array("123456789".utf8)[...]) == 0x0376_E6E7)
    }

    @Test func componentModeOfSpliceInsert() throws {
        let info = try Self.decode(
            5,
            [
                (7, 32), (0, 1), (0x7F, 7), (1, 1), (0, 1), (0, 1), (0, 1), (0xF, 4), (2, 8),
                (0x31, 8), (1, 1), (0x3F, 6), (90_000, 33), (0x32, 8), (0, 1), (0x7F, 7), (5, 16), (1, 8), (2, 8),
            ])
        guard case .insert(let insert) = info.command, let detail = insert.detail else {
            Issue.record("no splice_insert")
            return
        }
        #expect(detail.components == [.init(tag: 0x31, ptsTime: 90_000), .init(tag: 0x32, ptsTime: nil)])
        #expect(detail.ptsTime == nil && !detail.isProgramSplice && detail.isOutOfNetwork)
        #expect(detail.avail == SpliceAvail(uniqueProgramID: 5, number: 1, expected: 2))
        #expect(info.isCRCValid)
    }

    @Test func cancelledInsert() throws {
        let info = try Self.decode(5, [(9, 32), (1, 1), (0x7F, 7)])
        #expect(info.command == .insert(SpliceInsert(eventID: 9, detail: nil)))
        #expect(info.json["command"] == ["type": 5, "name": "splice_insert", "splice_event_id": 9, "cancel": true])
        #expect(info.breakSignals.isEmpty)
    }

    @Test(arguments: [nil, 0xFFF]) func scheduleOfThreeEvents(_ commandLength: Int?) throws {
        let info = try Self.decode(
            4,
            [
                (3, 8), (1, 32), (0, 1), (0x7F, 7), (1, 1), (1, 1), (1, 1), (0x1F, 5), (1_400_000_000, 32),
                (1, 1), (0x3F, 6), (2_700_000, 33), (4, 16), (5, 8), (6, 8),
                (2, 32), (1, 1), (0x7F, 7),
                (3, 32), (0, 1), (0x7F, 7), (0, 1), (0, 1), (0, 1), (0x1F, 5), (1, 8), (0x40, 8), (77, 32),
                (4, 16), (0, 8), (0, 8),
            ], commandLength: commandLength)
        guard case .schedule(let events) = info.command else {
            Issue.record("no splice_schedule")
            return
        }
        #expect(events.map(\.eventID) == [1, 2, 3])
        #expect(events[0].detail?.time == 1_400_000_000)
        #expect(events[0].detail?.breakDuration == SpliceBreakDuration(isAutoReturn: true, ticks: 2_700_000))
        #expect(events[1].detail == nil)
        #expect(events[2].detail?.components == [.init(tag: 0x40, time: 77)])
        #expect(info.json["command"]?["events"]?.arrayValue?.count == 3)
    }

    @Test func privateAndReservedCommands() throws {
        let own = try Self.decode(0xFF, [(0x4142_4344, 32), (0xABCD, 16)])
        #expect(own.command == .privateCommand(identifier: 0x4142_4344, bytes: [0xAB, 0xCD]))
        #expect(
            own.json["command"] == [
                "type": 255, "name": "private_command", "identifier": "ABCD", "private_bytes": "ABCD",
            ])
        // The identifier is a 32-bit number; only four printable bytes are shown as text.
        for (number, text) in [(1, "0x00000001"), (0x1B63_1B5B, "0x1B631B5B"), (0x4142_437F, "0x4142437F")] {
            let own = try Self.decode(0xFF, [(UInt64(number), 32)])
            #expect(own.json["command"]?["identifier"] == .string(text))
            #expect(own.readableJSON["command"]?["identifier"] == .string(text))
        }
        let reserved = try Self.decode(0x21, [(1, 8)])
        #expect(reserved.command == .unknown(type: 0x21, bytes: [1]))
    }

    /// A stated command length is the end of the command, even when its fields end earlier.
    @Test func commandLengthBoundsTheCommand() throws {
        let padded = try Self.decode(6, [(0, 1), (0x7F, 7), (0, 24)])
        #expect(padded.command == .timeSignal(ptsTime: nil))
        #expect(padded.descriptors == [])
        #expect(throws: SpliceInfoProblem(.truncated, offset: 14)) {
            try Self.decode(6, [(1, 1), (0x3F, 6), (5, 9)])
        }
    }

    @Test func stuffingBeforeTheChecksum() throws {
        let info = try SpliceInfo(SpliceSectionWriter.section(command: 0, body: [], stuffing: [0xFF, 0xFF, 0xFF]))
        #expect(info.isCRCValid && info.descriptors == [])
        var longer = SpliceSectionWriter.section(command: 0, body: [])
        longer += [1, 2, 3]
        #expect(try SpliceInfo(longer).isCRCValid)
    }

    @Test func encryptedShowsItsHeader() throws {
        let info = try SpliceTransport.decode("/DAkAIQAAAAABf/wDwUAAAK9f8/+Aq6lQAABAAAAAN6tvu8AdpVU")
        #expect(info.isEncrypted && info.command == nil && info.descriptors == nil)
        #expect(info.encryptionAlgorithm == 2 && info.controlWordIndex == 5)
        #expect(info.breakSignals.isEmpty)
    }

    @Test(
        arguments: [
            ([], SpliceInfoProblem(.tableID, offset: 0)), ([0xFB, 0x30, 0x11], SpliceInfoProblem(.tableID, offset: 0)),
            ([0xFC], SpliceInfoProblem(.truncated, offset: 1)),
            ([0xFC, 0x30], SpliceInfoProblem(.truncated, offset: 1)),
            ([0xFC, 0x30, 0x11, 0x00], SpliceInfoProblem(.truncated, offset: 4)),
            ([0xFC, 0x30, 0x02, 0x00, 0x00], SpliceInfoProblem(.sectionLength, offset: 1)),
            ([0xFC, 0x3F, 0xFF], SpliceInfoProblem(.tooLong, offset: 1)),
        ] as [([UInt8], SpliceInfoProblem)]) func refuses(_ bytes: [UInt8], _ problem: SpliceInfoProblem)
    {
        #expect(throws: problem) { try SpliceInfo(bytes) }
    }

    /// Lengths inside the section that exceed it.
    @Test func hostileLengths() {
        var command = SpliceSectionWriter.section(command: 0, body: [])
        command[12] = 0xFE
        #expect(throws: SpliceInfoProblem(.truncated, offset: 14)) { try SpliceInfo(command) }
        #expect(throws: SpliceInfoProblem.self) { try Self.decode(4, [(255, 8)]) }
    }

    /// Descriptors that are longer than the section cost neither the command nor those that are in it.
    @Test(arguments: [0, 1, 5]) func aLoopLongerThanTheSectionEndsWithIt(excess: UInt8) throws {
        let avail = SpliceSectionWriter.descriptor(0, SpliceSectionWriter([(7, 32)]).bytes)
        var section = SpliceSectionWriter.section(command: 6, body: [0x7F], descriptors: avail)
        // The loop has its length at bytes 15 and 16, and 10 bytes behind that.
        section[16] += excess
        let info = try SpliceInfo(section)
        #expect(info.command == .timeSignal(ptsTime: nil))
        #expect(info.descriptors?.map(\.body) == [.avail(providerAvailID: 7)])
        #expect(info.descriptorsProblem == (excess == 0 ? nil : SpliceInfoProblem(.truncated, offset: 17)))
        #expect((info.json["problem"] == "cut off at byte 17") == (excess > 0))
        let line = "#EXT-OATCLS-SCTE35:0x\(section.upperHexadecimal)\n"
        let parsed = InlinePlaylist.parse(InlinePlaylist.head + line + InlinePlaylist.segments)
        let findings = InlinePlaylist.findings(parsed)
        #expect(findings == (excess == 0 ? [] : ["scte35-bad-crc@4", "scte35-undecodable@4"]))
        #expect(parsed.media?.cuePoints.map(\.scte35) == [section])
    }

    /// A command that fills the section has no room for the length of the loop.
    @Test func aSectionMayEndBeforeItsLoop() throws {
        let whole = SpliceSectionWriter.section(command: 6, body: [0x7F])
        var section = Array(whole[..<15]) + whole[17...]
        section[2] -= 2
        let info = try SpliceInfo(section)
        #expect(info.command == .timeSignal(ptsTime: nil) && info.descriptors == [])
        #expect(info.descriptorsProblem == SpliceInfoProblem(.truncated, offset: 15))
    }

    @Test func ticksAreExact() {
        #expect(SpliceTicks.duration(5_399_394) == .nanoseconds(59_993_266_666))
        #expect(SpliceTicks.duration(90_000) == .seconds(1))
        #expect(SpliceTicks.duration((1 << 40) - 1) > .seconds(12_000_000))
    }
}
