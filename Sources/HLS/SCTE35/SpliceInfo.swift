import Ports

/// A decoded splice_info_section (ANSI/SCTE 35 2022b section 9.6, HLS-26).
package struct SpliceInfo: Hashable, Sendable {
    /// The first byte of every section.
    package static let tableID: UInt8 = 0xFC
    /// Value of `commandLength` when the encoder stated none.
    package static let unknownCommandLength = 0xFFF

    /// sap_type: for 0 to 2 the splice point is a stream access point of type 1 to 3; 3 is unspecified.
    package var sapType: Int
    /// section_length: bytes after the length field.
    package var sectionLength: Int
    package var protocolVersion: Int
    /// Whether everything after the command length is ciphertext, so that `command` and `descriptors` are nil.
    package var isEncrypted: Bool
    /// encryption_algorithm; 0 means none.
    package var encryptionAlgorithm: Int
    /// pts_adjustment: 90 kHz ticks to add to every PTS of the message.
    package var ptsAdjustment: Int64
    /// cw_index: which control word decrypts the message.
    package var controlWordIndex: Int
    /// tier; 0xFFF means none.
    package var tier: Int
    /// splice_command_length in bytes; `unknownCommandLength` when not stated.
    package var commandLength: Int
    /// `command` and `descriptors` are nil when the message is encrypted.
    package var command: SpliceCommand?
    package var descriptors: [SpliceDescriptor]?
    /// Why the descriptors are not those of the whole loop: it is longer than the section. Nil when it is not.
    package var descriptorsProblem: SpliceInfoProblem?
    /// The last four bytes of the section.
    package var crc: UInt32
    /// False for a damaged message, which is still decoded.
    package var isCRCValid: Bool
}

/// The 90 kHz clock of MPEG-2 systems.
package enum SpliceTicks {
    package static let perSecond: Int64 = 90_000

    /// The exact duration: a tick is 100/9 microseconds.
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
    /// `ptsTime` in 90 kHz ticks before adjustment; nil means immediately.
    case timeSignal(ptsTime: Int64?)
    case bandwidthReservation
    case privateCommand(identifier: UInt32, bytes: [UInt8])
    /// A command type that 2022b reserves.
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
    /// Whether the return happens without a further message.
    package var isAutoReturn: Bool
    /// Duration in 90 kHz ticks.
    package var ticks: Int64
}

/// The fields that identify an avail within one programme (sections 9.7.2 and 9.7.3).
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
        /// Time in 90 kHz ticks; nil means immediately.
        package var ptsTime: Int64?
    }

    /// The content of a message that does not cancel its event.
    package struct Detail: Hashable, Sendable {
        package var isOutOfNetwork: Bool
        /// Whether the whole programme splices; otherwise only `components` do.
        package var isProgramSplice: Bool
        package var isImmediate: Bool
        /// Time in 90 kHz ticks, before adjustment.
        package var ptsTime: Int64?
        package var components: [Component]
        package var breakDuration: SpliceBreakDuration?
        package var avail: SpliceAvail
    }

    package var eventID: UInt32
    /// Nil when the event is cancelled.
    package var detail: Detail?
}

/// One event of splice_schedule (section 9.7.2).
package struct ScheduledSplice: Hashable, Sendable {
    /// One component in component mode.
    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        /// GPS seconds.
        package var time: UInt32
    }

    /// The content of an event that is not cancelled.
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
