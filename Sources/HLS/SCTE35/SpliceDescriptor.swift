/// One splice descriptor (ANSI/SCTE 35 2022b section 10).
package struct SpliceDescriptor: Hashable, Sendable {
    /// "CUEI", the identifier of the descriptors that the standard defines.
    package static let standardIdentifier: UInt32 = 0x4355_4549

    /// The content after the identifier.
    package enum Body: Hashable, Sendable {
        case avail(providerAvailID: UInt32)
        /// The lead time before the splice in tenths of a second, and the DTMF tones.
        case dtmf(preroll: Int, characters: String)
        case segmentation(SegmentationDescriptor)
        case taiTime(seconds: Int64, nanoseconds: UInt32, utcOffset: Int)
        case audio([AudioComponent])
        /// A descriptor with another identifier, or with a tag that 2022b reserves.
        case privateBytes([UInt8])
        /// A descriptor that ends before its identifier or, if it is one of the standard, before its fields do. Its length bounds it, so the
        /// others are readable. One that is longer than the loop has the rest of that.
        case unreadable([UInt8], SpliceInfoProblem)
    }

    /// One component of audio_descriptor (section 10.3.5).
    package struct AudioComponent: Hashable, Sendable {
        package var tag: UInt8
        /// ISO 639 code, three letters.
        package var language: String
        package var bitStreamMode: Int
        package var channelCount: Int
        package var isFullService: Bool
    }

    package var tag: UInt8
    /// descriptor_length: bytes after the length field; 0 where the loop ends before it.
    package var length: Int
    /// Nil when the descriptor is too short for one, or longer than the loop.
    package var identifier: UInt32?
    package var body: Body

    /// Why it is not readable; nil when it is.
    package var problem: SpliceInfoProblem? {
        if case .unreadable(_, let problem) = body { problem } else { nil }
    }

    /// The name in the standard.
    package var name: String {
        switch body {
        case .avail: "avail_descriptor"
        case .dtmf: "DTMF_descriptor"
        case .segmentation: "segmentation_descriptor"
        case .taiTime: "time_descriptor"
        case .audio: "audio_descriptor"
        case .privateBytes: "private_descriptor"
        case .unreadable: "unreadable_descriptor"
        }
    }
}

/// segmentation_descriptor (section 10.3.3).
package struct SegmentationDescriptor: Hashable, Sendable {
    /// One component in component mode.
    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        /// Offset in 90 kHz ticks.
        package var ptsOffset: Int64
    }

    /// Delivery flags, present when delivery is restricted.
    package struct Restrictions: Hashable, Sendable {
        package var isWebDeliveryAllowed: Bool
        package var hasNoRegionalBlackout: Bool
        package var isArchiveAllowed: Bool
        /// device_restrictions: 0 to 2 restrict a group of devices, 3 none.
        package var devices: Int
    }

    /// sub_segment_num and sub_segments_expected, which many encoders omit.
    package struct SubSegment: Hashable, Sendable {
        package var number: Int
        package var expected: Int
    }

    /// The content of a descriptor that does not cancel its event.
    package struct Detail: Hashable, Sendable {
        /// Whether the whole programme is segmented; otherwise only `components` are.
        package var isProgramSegmentation: Bool
        package var components: [Component]
        /// Nil when delivery is not restricted.
        package var restrictions: Restrictions?
        /// segmentation_duration in 90 kHz ticks.
        package var ticks: Int64?
        package var upid: SegmentationUPID
        package var type: SegmentationType
        package var segmentNumber: Int
        package var segmentsExpected: Int
        package var subSegment: SubSegment?
    }

    package var eventID: UInt32
    /// Nil when the event is cancelled.
    package var detail: Detail?
}
