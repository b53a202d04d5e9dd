package import Ports

/// A decoded splice_info_section (ANSI/SCTE 35 2022b section 9.6, hls-timeline 4.5).
package struct SpliceInfo: Hashable, Sendable {
    /// The first byte of every section.
    package static let tableID: UInt8 = 0xFC
    /// `commandLength` when the encoder gave none.
    package static let unknownCommandLength = 0xFFF

    /// 0 to 2: the splice point is a stream access point of type 1 to 3; 3: not said.
    package var sapType: Int
    /// Bytes after the length field.
    package var sectionLength: Int
    package var protocolVersion: Int
    /// What follows the command length is ciphertext: `command` and `descriptors` are nil.
    package var isEncrypted: Bool
    /// 0: none.
    package var encryptionAlgorithm: Int
    /// Ticks of 90 kHz to add to every PTS of the message.
    package var ptsAdjustment: Int64
    /// Which key decrypts it.
    package var controlWordIndex: Int
    /// 0xFFF: none.
    package var tier: Int
    /// In bytes; `unknownCommandLength` when not given.
    package var commandLength: Int
    /// Nil when encrypted, as are the descriptors.
    package var command: SpliceCommand?
    package var descriptors: [SpliceDescriptor]?
    /// The last four bytes of the section.
    package var crc: UInt32
    /// False for a damaged message, which is decoded all the same.
    package var isCRCValid: Bool

    /// Ticks of 90 kHz: where the message takes effect, adjusted; nil when it says no time.
    package var effectiveTime: Int64? {
        let time: Int64? =
            switch command {
            case .insert(let insert): insert.detail?.ptsTime
            case .timeSignal(let time): time
            default: nil
            }
        return time.map { ($0 &+ ptsAdjustment) & SpliceTicks.ptsMask }
    }
}

/// The 90 kHz clock of MPEG-2 systems.
package enum SpliceTicks {
    package static let perSecond: Int64 = 90_000
    /// PTS values have 33 bits and wrap every 26.5 hours.
    package static let ptsMask: Int64 = (1 << 33) - 1

    /// Exact: a tick is 100/9 microseconds.
    package static func duration(_ ticks: Int64) -> Duration {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: perSecond)
        return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / perSecond)
    }
}

/// The splice commands (section 9.7).
package enum SpliceCommand: Hashable, Sendable {
    case null
    case schedule([ScheduledSplice])
    case insert(SpliceInsert)
    /// Ticks of 90 kHz, before adjustment; nil means at once.
    case timeSignal(ptsTime: Int64?)
    case bandwidthReservation
    case privateCommand(identifier: UInt32, bytes: [UInt8])
    /// A type that 2022b reserves.
    case unknown(type: UInt8, bytes: [UInt8])

    /// splice_command_type.
    package var type: UInt8 {
        switch self {
        case .null: 0x00
        case .schedule: 0x04
        case .insert: 0x05
        case .timeSignal: 0x06
        case .bandwidthReservation: 0x07
        case .privateCommand: 0xFF
        case .unknown(let type, _): type
        }
    }

    /// The name in the standard.
    package var name: String {
        switch self {
        case .null: "splice_null"
        case .schedule: "splice_schedule"
        case .insert: "splice_insert"
        case .timeSignal: "time_signal"
        case .bandwidthReservation: "bandwidth_reservation"
        case .privateCommand: "private_command"
        case .unknown: "reserved"
        }
    }
}

/// break_duration (section 9.8.2).
package struct SpliceBreakDuration: Hashable, Sendable {
    /// No message will announce the return.
    package var isAutoReturn: Bool
    /// Ticks of 90 kHz.
    package var ticks: Int64
}

/// The fields that tell the avails of one programme apart (sections 9.7.2 and 9.7.3).
package struct SpliceAvail: Hashable, Sendable {
    package var uniqueProgramID = 0
    package var number = 0
    package var expected = 0
}

/// splice_insert (section 9.7.3).
package struct SpliceInsert: Hashable, Sendable {
    /// One component in component mode.
    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        /// Ticks of 90 kHz; nil means at once.
        package var ptsTime: Int64?
    }

    /// What a message that does not cancel says.
    package struct Detail: Hashable, Sendable {
        package var isOutOfNetwork: Bool
        /// The whole programme splices; otherwise `components` do.
        package var isProgramSplice: Bool
        package var isImmediate: Bool
        /// Ticks of 90 kHz, before adjustment.
        package var ptsTime: Int64?
        package var components: [Component]
        package var breakDuration: SpliceBreakDuration?
        package var avail: SpliceAvail
    }

    package var eventID: UInt32
    /// Nil when the event is cancelled.
    package var detail: Detail?
}

/// utc_splice_time: seconds since 1980-01-06 00:00:00 UTC with leap seconds counted, as GPS does.
package enum SpliceGPSTime {
    /// 1980-01-06 in Unix time.
    private static let epoch: Int64 = 315_964_800
    /// GPS has been ahead of UTC by this much since 2017-01-01; messages do not say it.
    private static let leapSeconds: Int64 = 18

    package static func unixTime(_ seconds: UInt32) -> UnixTime {
        UnixTime(microseconds: (Int64(seconds) + epoch - leapSeconds) * 1_000_000)
    }
}

/// One event of splice_schedule (section 9.7.2).
package struct ScheduledSplice: Hashable, Sendable {
    /// One component in component mode.
    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        /// GPS seconds.
        package var time: UInt32
    }

    /// What an event that is not cancelled says.
    package struct Detail: Hashable, Sendable {
        package var isOutOfNetwork: Bool
        package var isProgramSplice: Bool
        /// GPS seconds; nil in component mode.
        package var time: UInt32?
        package var components: [Component]
        package var breakDuration: SpliceBreakDuration?
        package var avail: SpliceAvail
    }

    package var eventID: UInt32
    /// Nil when the event is cancelled.
    package var detail: Detail?
}
