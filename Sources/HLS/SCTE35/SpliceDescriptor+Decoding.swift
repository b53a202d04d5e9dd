extension SpliceDescriptor {
    /// Reads descriptor_loop_length and the descriptors in the loop. Bytes after the loop are alignment stuffing. A loop that is longer than
    /// the section ends with it, which is a problem of the loop alone: each descriptor has a length of its own.
    static func readLoop(
        from reader: inout SpliceBitReader
    ) -> (descriptors: [SpliceDescriptor], problem: SpliceInfoProblem?) {
        var (descriptors, problem): ([SpliceDescriptor], SpliceInfoProblem?) = ([], nil)
        do throws(SpliceInfoProblem) {
            let length = try reader.number(16)
            let rest = reader.remainingBytes
            if length > rest { problem = SpliceInfoProblem(.truncated, offset: reader.byteOffset) }
            var loop = try reader.part(min(length, rest))
            while loop.remainingBytes > 0 { descriptors.append(try read(from: &loop)) }
        } catch {
            problem = error
        }
        return (descriptors, problem)
    }

    /// A descriptor that is longer than its loop is the rest of that: nothing tells where the next one begins.
    private static func read(from loop: inout SpliceBitReader) throws(SpliceInfoProblem) -> SpliceDescriptor {
        var descriptor = SpliceDescriptor(tag: try loop.byte(), length: 0, identifier: nil, body: .privateBytes([]))
        do throws(SpliceInfoProblem) {
            descriptor.length = try loop.number(8)
            var content = try loop.part(descriptor.length)
            try descriptor.read(&content)
        } catch {
            descriptor.body = .unreadable(try loop.rest(), error)
        }
        return descriptor
    }

    /// Reads the identifier and the fields after it.
    private mutating func read(_ content: inout SpliceBitReader) throws(SpliceInfoProblem) {
        do throws(SpliceInfoProblem) {
            let identifier = try content.word()
            self.identifier = identifier
            var fields = content
            body =
                identifier == Self.standardIdentifier
                ? try Self.standardBody(tag, from: &fields) : .privateBytes(try fields.rest())
        } catch {
            body = .unreadable(try content.rest(), error)
        }
    }

    private static func standardBody(
        _ tag: UInt8, from reader: inout SpliceBitReader
    ) throws(SpliceInfoProblem) -> Body {
        switch tag {
        case 0: return .avail(providerAvailID: try reader.word())
        case 1:
            let preroll = try reader.number(8)
            let count = try reader.number(3)
            try reader.skip(5)
            return .dtmf(preroll: preroll, characters: String(latin1: try reader.bytes(count)))
        case 2: return .segmentation(try SegmentationDescriptor.read(from: &reader))
        case 3:
            return .taiTime(
                seconds: try reader.bits(48), nanoseconds: try reader.word(), utcOffset: try reader.number(16))
        case 4: return .audio(try audioComponents(from: &reader))
        default: return .privateBytes(try reader.rest())
        }
    }

    private static func audioComponents(
        from reader: inout SpliceBitReader
    ) throws(SpliceInfoProblem) -> [AudioComponent] {
        let count = try reader.number(4)
        try reader.skip(4)
        var components: [AudioComponent] = []
        for _ in 0..<count {
            components.append(
                AudioComponent(
                    tag: try reader.byte(), language: String(latin1: try reader.bytes(3)),
                    bitStreamMode: try reader.number(3), channelCount: try reader.number(4),
                    isFullService: try reader.flag()))
        }
        return components
    }
}

extension SpliceBitReader {
    fileprivate mutating func rest() throws(SpliceInfoProblem) -> [UInt8] {
        try bytes(remainingBytes)
    }
}

extension String {
    /// Converts each byte to the character with its number, so that any four bytes of an identifier can be shown.
    init(latin1 bytes: [UInt8]) {
        self = ""
        for byte in bytes { unicodeScalars.append(Unicode.Scalar(byte)) }
    }
}

extension SegmentationDescriptor {
    /// Reads the fields after the identifier.
    static func read(from reader: inout SpliceBitReader) throws(SpliceInfoProblem) -> SegmentationDescriptor {
        let eventID = try reader.word()
        let isCancelled = try reader.flag()
        try reader.skip(7)
        return SegmentationDescriptor(eventID: eventID, detail: isCancelled ? nil : try readDetail(from: &reader))
    }

    private static func readDetail(from reader: inout SpliceBitReader) throws(SpliceInfoProblem) -> Detail {
        let isProgramSegmentation = try reader.flag()
        let hasDuration = try reader.flag()
        let restrictions = try readRestrictions(from: &reader)
        var components: [Component] = []
        if !isProgramSegmentation {
            for _ in 0..<(try reader.number(8)) {
                let tag = try reader.byte()
                try reader.skip(7)
                components.append(Component(tag: tag, ptsOffset: try reader.bits(33)))
            }
        }
        let ticks = hasDuration ? try reader.bits(40) : nil
        var detail = Detail(
            isProgramSegmentation: isProgramSegmentation, components: components, restrictions: restrictions,
            ticks: ticks, upid: try readUPID(from: &reader), type: SegmentationType(id: try reader.byte()),
            segmentNumber: try reader.number(8), segmentsExpected: try reader.number(8), subSegment: nil)
        // Only the length of the descriptor shows whether the two fields are present.
        if detail.type.mayHaveSubSegments, reader.remainingBytes >= 2 {
            detail.subSegment = SubSegment(number: try reader.number(8), expected: try reader.number(8))
        }
        return detail
    }

    private static func readRestrictions(
        from reader: inout SpliceBitReader
    ) throws(SpliceInfoProblem) -> Restrictions? {
        guard try !reader.flag() else {
            try reader.skip(5)
            return nil
        }
        return Restrictions(
            isWebDeliveryAllowed: try reader.flag(), hasNoRegionalBlackout: try reader.flag(),
            isArchiveAllowed: try reader.flag(), devices: try reader.number(2))
    }

    /// Reads upid_type, upid_length and upid. The identifiers in a MID do not nest: a MID inside a MID is kept as bytes.
    private static func readUPID(from reader: inout SpliceBitReader) throws(SpliceInfoProblem) -> SegmentationUPID {
        let type = try reader.byte()
        let length = try reader.number(8)
        // A part of the section, not a copy: its problems have their position in the section.
        var part = try reader.part(length)
        var members = part
        var upid = SegmentationUPID(type: type, bytes: try part.bytes(length))
        guard type == SegmentationUPID.multipleType else { return upid }
        while members.remainingBytes > 0 {
            let type = try members.byte()
            upid.members.append(SegmentationUPID(type: type, bytes: try members.bytes(try members.number(8))))
        }
        return upid
    }
}
