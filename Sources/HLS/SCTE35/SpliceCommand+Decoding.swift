extension SpliceCommand {
    /// Reads splice_command_type and the command. A stated length bounds the command and is skipped in full; without
    /// one (0xFFF) the command ends after its own fields.
    static func read(from reader: inout SpliceBitReader, length: Int) throws(SpliceInfoProblem) -> SpliceCommand {
        let type = try reader.byte()
        guard length != SpliceInfo.unknownCommandLength else {
            return try body(of: type, from: &reader, isBounded: false)
        }
        var part = try reader.part(length)
        return try body(of: type, from: &part, isBounded: true)
    }

    private static func body(
        of type: UInt8, from reader: inout SpliceBitReader, isBounded: Bool
    ) throws(SpliceInfoProblem) -> SpliceCommand {
        switch type {
        case 0x00: return .null
        case 0x04: return .schedule(try schedule(from: &reader))
        case 0x05: return .insert(try SpliceInsert.read(from: &reader))
        case 0x06: return .timeSignal(ptsTime: try reader.spliceTime())
        case 0x07: return .bandwidthReservation
        case 0xFF:
            let identifier = try reader.word()
            return .privateCommand(identifier: identifier, bytes: try rest(of: &reader, isBounded: isBounded))
        default:
            return .unknown(type: type, bytes: try rest(of: &reader, isBounded: isBounded))
        }
    }

    /// Without a stated length, nothing separates an unknown command from the descriptors: it is treated as empty.
    private static func rest(
        of reader: inout SpliceBitReader, isBounded: Bool
    ) throws(SpliceInfoProblem) -> [UInt8] {
        isBounded ? try reader.bytes(reader.remainingBytes) : []
    }

    private static func schedule(
        from reader: inout SpliceBitReader
    ) throws(SpliceInfoProblem) -> [ScheduledSplice] {
        let count = try reader.number(8)
        var events: [ScheduledSplice] = []
        for _ in 0..<count { events.append(try ScheduledSplice.read(from: &reader)) }
        return events
    }
}

extension SpliceBitReader {
    /// splice_time (section 9.8.1).
    mutating func spliceTime() throws(SpliceInfoProblem) -> Int64? {
        guard try flag() else {
            try skip(7)
            return nil
        }
        try skip(6)
        return try bits(33)
    }

    /// unique_program_id, avail_num and avails_expected.
    mutating func avail() throws(SpliceInfoProblem) -> SpliceAvail {
        SpliceAvail(uniqueProgramID: try number(16), number: try number(8), expected: try number(8))
    }

    /// break_duration (section 9.8.2).
    mutating func breakDuration() throws(SpliceInfoProblem) -> SpliceBreakDuration {
        let isAutoReturn = try flag()
        try skip(6)
        return SpliceBreakDuration(isAutoReturn: isAutoReturn, ticks: try bits(33))
    }
}

extension SpliceInsert {
    /// Reads the body of the command.
    static func read(from reader: inout SpliceBitReader) throws(SpliceInfoProblem) -> SpliceInsert {
        let eventID = try reader.word()
        let isCancelled = try reader.flag()
        try reader.skip(7)
        return SpliceInsert(eventID: eventID, detail: isCancelled ? nil : try readDetail(from: &reader))
    }

    private static func readDetail(from reader: inout SpliceBitReader) throws(SpliceInfoProblem) -> Detail {
        var detail = Detail(
            isOutOfNetwork: try reader.flag(), isProgramSplice: try reader.flag(), isImmediate: false, ptsTime: nil,
            components: [], breakDuration: nil, avail: SpliceAvail())
        let hasDuration = try reader.flag()
        detail.isImmediate = try reader.flag()
        try reader.skip(4)
        if detail.isProgramSplice {
            if !detail.isImmediate { detail.ptsTime = try reader.spliceTime() }
        } else {
            for _ in 0..<(try reader.number(8)) {
                let tag = try reader.byte()
                let time = detail.isImmediate ? nil : try reader.spliceTime()
                detail.components.append(Component(tag: tag, ptsTime: time))
            }
        }
        if hasDuration { detail.breakDuration = try reader.breakDuration() }
        detail.avail = try reader.avail()
        return detail
    }
}

extension ScheduledSplice {
    /// Reads one event.
    static func read(from reader: inout SpliceBitReader) throws(SpliceInfoProblem) -> ScheduledSplice {
        let eventID = try reader.word()
        let isCancelled = try reader.flag()
        try reader.skip(7)
        return ScheduledSplice(eventID: eventID, detail: isCancelled ? nil : try readDetail(from: &reader))
    }

    private static func readDetail(from reader: inout SpliceBitReader) throws(SpliceInfoProblem) -> Detail {
        var detail = Detail(
            isOutOfNetwork: try reader.flag(), isProgramSplice: try reader.flag(), time: nil, components: [],
            breakDuration: nil, avail: SpliceAvail())
        let hasDuration = try reader.flag()
        try reader.skip(5)
        if detail.isProgramSplice {
            detail.time = try reader.word()
        } else {
            for _ in 0..<(try reader.number(8)) {
                detail.components.append(Component(tag: try reader.byte(), time: try reader.word()))
            }
        }
        if hasDuration { detail.breakDuration = try reader.breakDuration() }
        detail.avail = try reader.avail()
        return detail
    }
}
