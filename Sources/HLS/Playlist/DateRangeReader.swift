import Ports

/// Reads the attributes of one EXT-X-DATERANGE tag (rfc8216bis-22 section 4.4.5.1).
enum DateRangeReader {
    /// One tag, and the facts that its parsed values no longer show.
    struct Reading {
        var range: DateRange
        var hasUnreadableStart = false
    }

    /// Returns nil, with a finding, when the tag has no ID.
    static func read(_ list: AttributeList, context: inout ParseContext) -> Reading? {
        guard let id = list["ID"], !id.value.isEmpty else {
            context.report(.dateRangeMissingID, "date range without ID: dropped")
            return nil
        }
        var range = DateRange(id: context.string(id))
        range.line = context.line
        range.rangeClass = context.string(list, "CLASS")
        range.start = date(list, "START-DATE", context: &context)
        range.endDate = date(list, "END-DATE", context: &context)
        range.statedDuration = duration(list, "DURATION", context: &context)
        range.plannedDuration = duration(list, "PLANNED-DURATION", context: &context)
        range.endsOnNext = context.flag(list, "END-ON-NEXT")
        if let cue = list["CUE"] {
            range.cue = context.string(cue).split(separator: ",").compactMap { word in
                CueTrigger(rawValue: word.filter { $0 != " " })
            }
        }
        range.scte35Command = splice(list, "SCTE35-CMD", context: &context)?.section
        let out = splice(list, "SCTE35-OUT", context: &context)
        let back = splice(list, "SCTE35-IN", context: &context)
        (range.scte35Out, range.scte35In) = (out?.section, back?.section)
        range.hasBreakStart = list["SCTE35-OUT"] != nil
        range.hasBreakEnd = list["SCTE35-IN"] != nil
        range.startsAdvertisement = out?.info.isAboutAdvertisements(ending: false)
        range.endsAdvertisement = back?.info.isAboutAdvertisements(ending: true)
        range.messageLength = out?.info.breakLength
        readExtensions(list, into: &range, context: &context)
        return Reading(range: range, hasUnreadableStart: range.start == nil && list["START-DATE"] != nil)
    }

    private static func date(_ list: AttributeList, _ name: StaticString, context: inout ParseContext) -> UnixTime? {
        guard let attribute = list[name] else { return nil }
        let date = ISODate(attribute.value)
        if date == nil { context.report(.dateRangeBadDate, "\(name)=\(attribute.value.excerpt) is not a date") }
        return date?.time
    }

    private static func duration(
        _ list: AttributeList, _ name: StaticString, context: inout ParseContext
    ) -> Duration? {
        guard let attribute = list[name] else { return nil }
        guard let seconds = DecimalNumber.seconds(attribute.value, signed: true) else {
            context.report(.numberInvalid, "\(name)=\(attribute.value.excerpt) is not a number of seconds")
            return nil
        }
        context.reportQuotes(attribute, name)
        guard seconds >= .zero else {
            context.report(.dateRangeNegativeDuration, "\(name)=\(attribute.value.excerpt) is negative")
            return nil
        }
        return seconds
    }

    /// Some packagers quote the hexadecimal value; it is accepted with a finding.
    private static func splice(
        _ list: AttributeList, _ name: StaticString, context: inout ParseContext
    ) -> DecodedSplice? {
        guard let attribute = list[name] else { return nil }
        if attribute.isQuoted {
            context.report(.scte35Quoted, "\(name) is quoted; a hexadecimal sequence has no quotes")
        }
        return context.splice(attribute.value, from: name)
    }

    private static func readExtensions(
        _ list: AttributeList, into range: inout DateRange, context: inout ParseContext
    ) {
        for attribute in list.attributes where attribute.name.hasPrefix("X-") {
            let name = context.interner.string(attribute.name)
            let value = extensionValue(attribute, context: &context)
            if let index = range.extensions.firstIndex(where: { $0.name == name }) {
                // When a name repeats within one tag, the last value counts.
                range.extensions[index].value = value
            } else {
                range.extensions.append(ExtensionAttribute(name: name, value: value))
            }
        }
    }

    private static func extensionValue(
        _ attribute: PlaylistAttribute, context: inout ParseContext
    ) -> ExtensionValue {
        if attribute.isQuoted { return .string(context.string(attribute)) }
        if DecimalNumber.isDecimal(attribute.value) { return .decimal(attribute.value.string) }
        let text = context.string(attribute)
        return attribute.value.hasPrefix("0x") || attribute.value.hasPrefix("0X") ? .hexadecimal(text) : .string(text)
    }
}

extension String {
    /// Calls `read` with the UTF-8 bytes.
    func withBytes<Result>(_ read: (ByteView) -> Result) -> Result {
        var text = self
        return text.withUTF8 { read(ByteView($0)) }
    }
}
