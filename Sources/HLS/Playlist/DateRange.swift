package import Ports

/// The CUE attribute: a trigger of a date range or interstitial other than its date (rfc8216bis-22 section 4.4.5.1).
package enum CueTrigger: String, Hashable, Sendable {
    case pre = "PRE"
    case post = "POST"
    case once = "ONCE"
}

/// The value of an attribute whose name starts with `X-`, by its syntax.
package enum ExtensionValue: Hashable, Sendable {
    /// A quoted string.
    case string(String)
    /// A hexadecimal sequence as written, with its 0x.
    case hexadecimal(String)
    /// A signed decimal as written, without loss of precision.
    case decimal(String)

    /// The value as written, without quotes.
    package var text: String {
        switch self {
        case .string(let text), .hexadecimal(let text), .decimal(let text): text
        }
    }

    /// Whether both have the same value; 1 and 1.0 do.
    package func means(_ other: ExtensionValue) -> Bool {
        if case .decimal(let mine) = self, case .decimal(let theirs) = other {
            return mine == theirs || Double(mine) == Double(theirs)
        }
        return self == other
    }
}

/// One `X-` attribute of a date range.
package struct ExtensionAttribute: Hashable, Sendable {
    package var name: String
    package var value: ExtensionValue

    package init(name: String, value: ExtensionValue) {
        self.name = name
        self.value = value
    }
}

/// The EXT-X-DATERANGE tags of one ID, merged; when tags conflict, the first value counts (rfc8216bis-22 section
/// 4.4.5.1).
package struct DateRange: Hashable, Sendable {
    package var id: String
    /// The CLASS attribute.
    package var rangeClass: String?
    /// START-DATE; nil when missing or unreadable.
    package var start: UnixTime?
    /// The END-DATE attribute; `end` is where the range ends.
    package var endDate: UnixTime?
    /// The DURATION attribute; `duration` is the effective duration.
    package var statedDuration: Duration?
    /// PLANNED-DURATION: an expectation only; the range stays open.
    package var plannedDuration: Duration?
    /// END-ON-NEXT=YES.
    package var endsOnNext = false
    /// The CUE attribute without unknown members.
    package var cue: [CueTrigger] = []
    /// SCTE35-CMD, SCTE35-OUT and SCTE35-IN as complete splice_info_sections; nil when absent or not decodable.
    package var scte35Command: [UInt8]?
    package var scte35Out: [UInt8]?
    package var scte35In: [UInt8]?
    /// Whether it has SCTE35-OUT, and SCTE35-IN, decodable or not.
    package var (hasBreakStart, hasBreakEnd) = (false, false)
    /// START-DATE of a tag with SCTE35-IN alone, where that is later than the start: some packagers write the return so.
    package var returnDate: UnixTime?
    /// Whether its SCTE35-OUT begins, and its SCTE35-IN ends, advertisements or promos alone; nil without one that can be read.
    package var (startsAdvertisement, endsAdvertisement): (Bool?, Bool?) = (nil, nil)
    /// The length of the event that its SCTE35-OUT begins; nil without one that can be read, or where that announces none.
    package var messageLength: Duration?
    /// The `X-` attributes in the order of first appearance.
    package var extensions: [ExtensionAttribute] = []
    /// END-DATE, else start plus DURATION, else `returnDate`, else the start of the following range (END-ON-NEXT); nil while open.
    package var end: UnixTime?
    /// 1-based line of the first tag.
    package var line = 0

    package init(id: String) {
        self.id = id
    }

    /// DURATION, else the time from start to end if that is not negative.
    package var duration: Duration? {
        if let statedDuration { return statedDuration }
        guard let start, let end, end >= start else { return nil }
        return end - start
    }

    /// The length that it announces while no attribute states how long it is: PLANNED-DURATION, else that of the event in its message (HLS-25).
    var announcedLength: Duration? { plannedDuration.announced ?? (duration == nil ? messageLength.announced : nil) }

    /// Whether it describes a break: one that only has the end of one, and no length, is where a break ends (HLS-25).
    package var isAdBreak: Bool {
        hasBreakStart || hasBreakEnd && (plannedDuration != nil || duration.map { $0 > .zero } ?? false)
    }

    /// Whether the break that it ends has another ID, or the tags that began it have left the playlist.
    package var endsAnotherBreak: Bool { hasBreakEnd && !isAdBreak }

    /// Its SCTE-35 messages and the names of their attributes.
    package var sections: [(name: String, bytes: [UInt8])] {
        [("SCTE35-OUT", scte35Out), ("SCTE35-IN", scte35In), ("SCTE35-CMD", scte35Command)]
            .compactMap { name, bytes in bytes.map { (name, $0) } }
    }

    /// The value of an `X-` attribute.
    package subscript(extension name: String) -> ExtensionValue? {
        extensions.first { $0.name == name }?.value
    }
}
