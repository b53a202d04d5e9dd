import Ports
import Testing

@testable import HLS

/// Descriptors by ANSI/SCTE 35 2022b section 10.
struct SpliceDescriptorTests {
    private static func decode(_ descriptors: [UInt8]...) throws(SpliceInfoProblem) -> [SpliceDescriptor] {
        let section = SpliceSectionWriter.section(command: 0, body: [], descriptors: descriptors.flatMap { $0 })
        return try SpliceInfo(section).descriptors ?? []
    }

    /// Throws the problem of a descriptor that is not readable.
    private static func segmentation(_ fields: [(UInt64, Int)]) throws(SpliceInfoProblem) -> SegmentationDescriptor? {
        let body = SpliceSectionWriter.descriptor(2, SpliceSectionWriter(fields).bytes)
        let read = try decode(body).first
        if let problem = read?.problem { throw problem }
        guard case .segmentation(let descriptor)? = read?.body else { return nil }
        return descriptor
    }

    /// The length of a descriptor bounds it: the command and the other descriptors are readable.
    @Test func anUnreadableDescriptorCostsNeitherTheCommandNorTheOthers() throws {
        let good = SpliceSectionWriter.descriptor(0, SpliceSectionWriter([(7, 32)]).bytes)
        for bad in [
            SpliceSectionWriter.descriptor(0, [1, 2]), SpliceSectionWriter.descriptor(1, [9, 0xE0, 0x31]),
            SpliceSectionWriter.descriptor(2, [0, 0, 0, 5, 0x7F, 0xBF, 8, 200, 1]),
        ] {
            let section = SpliceSectionWriter.section(command: 0, body: [], descriptors: bad + good)
            let info = try SpliceInfo(section)
            #expect(info.command != nil && info.isCRCValid)
            #expect(info.descriptors?.map { $0.problem?.kind } == [.truncated, nil])
            #expect(info.descriptors?.last?.body == .avail(providerAvailID: 7))
            #expect(info.descriptors?.first?.json["problem"] != nil)
        }
    }

    /// A descriptor that is longer than its loop has no bounds: the command and the descriptors before it are readable.
    @Test(
        arguments: [
            // The loop begins at byte 16, and this descriptor 10 bytes behind that.
            ([2, 200, 0x43], 200, [0x43], 28), ([0, 5, 0x43, 0x55, 0x45, 0x49], 5, [0x43, 0x55, 0x45, 0x49], 28),
            ([2, 1], 1, [], 28), ([2], 0, [], 27),
        ] as [([UInt8], Int, [UInt8], Int)])
    func aDescriptorLongerThanItsLoopIsTheRestOfIt(_ bytes: [UInt8], length: Int, rest: [UInt8], offset: Int) throws {
        let good = SpliceSectionWriter.descriptor(0, SpliceSectionWriter([(7, 32)]).bytes)
        let info = try SpliceInfo(SpliceSectionWriter.section(command: 0, body: [], descriptors: good + bytes))
        #expect(info.command != nil && info.isCRCValid)
        #expect(info.descriptors?.map(\.problem) == [nil, SpliceInfoProblem(.truncated, offset: offset)])
        let last = try #require(info.descriptors?.last)
        #expect(last.length == length && last.identifier == nil)
        #expect(last.json["private_bytes"] == .string(rest.upperHexadecimal))
    }

    @Test func cancelled() throws {
        #expect(try Self.segmentation([(5, 32), (1, 1), (0x7F, 7)]) == SegmentationDescriptor(eventID: 5, detail: nil))
    }

    @Test func componentsAndSubSegments() throws {
        let fields: [(UInt64, Int)] = [
            (5, 32), (0, 1), (0x7F, 7), (0, 1), (1, 1), (1, 1), (0x1F, 5), (1, 8), (0x21, 8), (0x7F, 7), (900, 33),
            (27_000_000, 40), (0x0F, 8), (3, 8), (0x613A62, 24), (0x34, 8), (1, 8), (2, 8),
        ]
        let plain = try #require(Self.segmentation(fields)?.detail)
        #expect(plain.components == [.init(tag: 0x21, ptsOffset: 900)])
        #expect(plain.ticks == 27_000_000 && plain.upid.text == "a:b" && plain.subSegment == nil)
        #expect(plain.type.name == "Provider Placement Opportunity Start")
        let sub = try #require(Self.segmentation(fields + [(3, 8), (4, 8)])?.detail)
        #expect(sub.subSegment == .init(number: 3, expected: 4))
    }

    /// The starts of advertisements, placement opportunities and ad blocks (SCTE 35 2023r1 table 23). Older messages end before.
    @Test func subSegmentsOfEveryTypeThatHasThem() throws {
        let start: [(UInt64, Int)] = [
            (5, 32), (0, 1), (0x7F, 7), (1, 1), (0, 1), (1, 1), (0x1F, 5), (0, 8), (0, 8),
        ]
        let types = try (UInt64(0)...255).filter { type in
            let fields = start + [(type, 8), (1, 8), (2, 8)]
            #expect(try Self.segmentation(fields)?.detail?.subSegment == nil)
            let read = try #require(try Self.segmentation(fields + [(3, 8), (4, 8)])?.detail)
            #expect(read.segmentNumber == 1 && read.segmentsExpected == 2)
            return read.subSegment == .init(number: 3, expected: 4)
        }
        #expect(types == [0x30, 0x32, 0x34, 0x36, 0x38, 0x3A, 0x44, 0x46])
    }

    /// MPU: the format identifier of the owner, then private data (table 22).
    @Test(arguments: [
        ([0x41, 0x44, 0x54, 0x50, 0xAB, 0xCD] as [UInt8], "ADTP", "ABCD"), ([0x44, 0x49, 0x53, 0x43], "DISC", ""),
        ([0x1B, 0x5B, 0, 1, 2], "0x1B5B0001", "02"),
    ])
    func managedPrivateUPID(_ bytes: [UInt8], _ identifier: String, _ data: String) throws {
        let upid = try #require(try Self.upid(12, bytes))
        #expect(
            upid == [
                "type": 12, "name": "MPU", "format": "mpu", "format_identifier": .string(identifier),
                "private_data": .string(data),
            ])
    }

    @Test func aManagedPrivateUPIDWithoutIdentifierIsBytes() throws {
        #expect(
            try Self.upid(12, [0x41, 0x44, 0x54]) == ["type": 12, "name": "MPU", "format": "hex", "value": "414454"])
    }

    /// The JSON form of a UPID.
    private static func upid(_ type: UInt64, _ bytes: [UInt8]) throws -> JSONValue? {
        let fields: [(UInt64, Int)] =
            [(5, 32), (0, 1), (0x7F, 7), (1, 1), (0, 1), (1, 1), (0x1F, 5), (type, 8), (UInt64(bytes.count), 8)]
            + bytes.map { (UInt64($0), 8) } + [(0x10, 8), (0, 8), (0, 8)]
        let body = SpliceSectionWriter.descriptor(2, SpliceSectionWriter(fields).bytes)
        return try decode(body).first?.json["upid"]
    }

    /// Text output shows no raw bytes of an identifier; the JSON form has one character a byte.
    @Test func anUnprintableIdentifierIsANumberInText() throws {
        let bytes: [UInt8] = [0, 4, 0x02, 0x98, 0x96, 0xF5]
        let section = SpliceSectionWriter.section(command: 0, body: [], descriptors: bytes)
        let info = try SpliceInfo(section)
        #expect(info.json["descriptors"]?.arrayValue?.first?["identifier"] == "\u{02}\u{98}\u{96}\u{F5}")
        #expect(info.readableJSON["descriptors"]?.arrayValue?.first?["identifier"] == "0x029896F5")
    }

    @Test func restrictions() throws {
        let detail = try Self.segmentation([
            (5, 32), (0, 1), (0x7F, 7), (1, 1), (0, 1), (0, 1), (1, 1), (0, 1), (1, 1), (2, 2), (0, 8), (0, 8),
            (0x22, 8),
            (0, 8), (0, 8),
        ])?.detail
        #expect(
            detail?.restrictions
                == .init(isWebDeliveryAllowed: true, hasNoRegionalBlackout: false, isArchiveAllowed: true, devices: 2))
        #expect(detail?.upid.name == "Not Used")
    }

    @Test func audioTimeAndPrivate() throws {
        let audio = SpliceSectionWriter([
            (2, 4), (0xF, 4), (7, 8), (0x656E67, 24), (3, 3), (5, 4), (1, 1), (8, 8), (0x646575, 24), (0, 8),
        ])
        let descriptors = try Self.decode(
            SpliceSectionWriter.descriptor(4, audio.bytes),
            SpliceSectionWriter.descriptor(3, SpliceSectionWriter([(1_700_000_000, 48), (5, 32), (37, 16)]).bytes),
            SpliceSectionWriter.descriptor(9, [1]), SpliceSectionWriter.descriptor(2, [0xAA], identifier: "SAPS"),
            [0x80, 2, 0xBE, 0xEF])
        #expect(
            descriptors[0].body
                == .audio([
                    .init(tag: 7, language: "eng", bitStreamMode: 3, channelCount: 5, isFullService: true),
                    .init(tag: 8, language: "deu", bitStreamMode: 0, channelCount: 0, isFullService: false),
                ]))
        #expect(descriptors[1].body == .taiTime(seconds: 1_700_000_000, nanoseconds: 5, utcOffset: 37))
        #expect(descriptors[2].body == .privateBytes([1]))
        #expect(descriptors[3].body == .privateBytes([0xAA]) && descriptors[3].identifier == 0x5341_5053)
        #expect(descriptors[4].problem?.kind == .truncated && descriptors[4].identifier == nil)
        #expect(descriptors[4].json["private_bytes"] == "BEEF")
        #expect(descriptors[0].json["components"]?.arrayValue?.first?["iso_code"] == "eng")
        #expect(descriptors[4].json["identifier"] == .null)
    }

    @Test func membersOfAMIDAreBounded() throws {
        let mid: [(UInt64, Int)] = [
            (5, 32), (0, 1), (0x7F, 7), (1, 1), (0, 1), (1, 1), (0x1F, 5), (0x0D, 8), (6, 8), (8, 8), (2, 8),
            (0xABCD, 16),
        ]
        let end: [(UInt64, Int)] = [(0x30, 8), (0, 8), (0, 8)]
        let good = try Self.segmentation(mid + [(3, 8), (0, 8)] + end)?.detail?.upid.members
        #expect(good?.map(\.type) == [8, 3])
        #expect(good?.first?.bytes == [0xAB, 0xCD])
        // The position is that in the section, of which the descriptor loop begins at byte 16 and this MID at byte 30.
        #expect(throws: SpliceInfoProblem(.truncated, offset: 36)) {
            try Self.segmentation(mid + [(3, 8), (9, 8)] + end)
        }
    }

    /// A MID that ends within the head of its second identifier.
    @Test func theProblemOfAMIDHasItsPositionInTheSection() {
        let fields: [(UInt64, Int)] = [
            (5, 32), (0, 1), (0x7F, 7), (1, 1), (0, 1), (1, 1), (0x1F, 5), (0x0D, 8), (5, 8), (8, 8), (2, 8),
            (0xABCD, 16), (3, 8), (0x30, 8), (0, 8), (0, 8),
        ]
        #expect(throws: SpliceInfoProblem(.truncated, offset: 35)) { try Self.segmentation(fields) }
    }

    @Test func textOnlyWherePrintable() {
        #expect(SegmentationUPID(type: 3, bytes: Array("ABCD".utf8)).text == "ABCD")
        #expect(SegmentationUPID(type: 3, bytes: [0x1B, 0x5B]).text == nil)
        #expect(SegmentationUPID(type: 8, bytes: Array("ABCD".utf8)).text == nil)
        #expect(SegmentationUPID(type: 0x44, bytes: []).name == "Reserved")
    }

    @Test func pairsOfSegmentationTypes() {
        let starts = (0...255).map { SegmentationType(id: UInt8($0)) }.filter(\.startsAdBreak)
        #expect(starts.count == 11)
        #expect(starts.allSatisfy { $0.name?.hasSuffix("Start") == true })
        #expect(starts.allSatisfy { SegmentationType(id: $0.id + 1).endsAdBreak })
        #expect(starts.allSatisfy { SegmentationType(id: $0.id + 1).name?.hasSuffix("End") == true })
        #expect(SegmentationType(id: 0x10).endsAdBreak == false)
        #expect(SegmentationType(id: 0x99).name == nil)
    }
}
