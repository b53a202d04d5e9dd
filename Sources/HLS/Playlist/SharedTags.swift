/// The tags that both kinds of playlist may have (rfc8216bis-22 sections 4.4.1.2, 4.4.2.1 and 4.4.2.2). Each may appear
/// once: a second one makes the playlist invalid.
struct SharedTags {
    private(set) var version: Int?
    private(set) var start: StartPoint?
    private(set) var hasIndependentSegments = false
    /// Line of each tag that appeared.
    private var lines: [PlaylistTag: Int] = [:]

    /// Reads one tag of `PlaylistTag.Place.anywhere` other than EXT-X-DEFINE.
    mutating func read(_ tag: PlaylistTag, _ value: ByteView, context: inout ParseContext) {
        guard lines[tag] == nil else {
            context.refuse(.duplicateTag, "\(tag.rawValue) appears twice")
            return
        }
        lines[tag] = context.line
        switch tag {
        case .version: readVersion(value, context: &context)
        case .start: readStart(value, context: &context)
        default: hasIndependentSegments = true
        }
    }

    /// Line of a tag; nil when it has not appeared.
    func line(of tag: PlaylistTag) -> Int? { lines[tag] }

    private mutating func readVersion(_ value: ByteView, context: inout ParseContext) {
        version = DecimalNumber.integer(value)
        if version == nil { context.report(.numberInvalid, "version '\(value.excerpt)' is not a decimal integer") }
    }

    private mutating func readStart(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value) else { return }
        guard let offset = list["TIME-OFFSET"], let seconds = DecimalNumber.seconds(offset.value, signed: true) else {
            context.report(.startInvalid, "TIME-OFFSET is missing or is not a number: '\(value.excerpt)'")
            return
        }
        context.reportQuotes(offset, "TIME-OFFSET")
        start = StartPoint(timeOffset: seconds, isPrecise: context.flag(list, "PRECISE"))
    }
}
