package import Ports
import VAST

/// One answer of the service: VMAP, or VAST alone in older ones (PRV-31).
package struct YospaceDocument: Hashable, Sendable {
    /// The breaks; in a live stream they have no times, and all start at 0. The creative of an ad is its media id.
    package let answer: ListedAnswer

    /// What gives the breaks their times.
    package enum Clock: Hashable, Sendable {
        /// Records in the media; live streams.
        case records
        /// The answer, in a programme of that length in seconds; nil while it is unknown.
        case programme(ExactDecimal?)

        /// Length of the programme in seconds; nil while unknown, and of live streams.
        fileprivate var total: ExactDecimal? {
            if case .programme(let total) = self { total } else { nil }
        }
    }

    /// - Parameter charset: encoding that the transport names.
    package static func read(
        _ bytes: [UInt8], charset: String? = nil, _ clock: Clock
    ) throws(MetadataProblem) -> YospaceDocument {
        let reading = VASTReader.read(bytes, charset: charset)
        var reader = VMAPBreakReader(creative: mediaID)
        guard let document = try reading.schedule() else {
            guard case .records = clock, let document = reading.vast else {
                throw .other("is VAST without times instead of VMAP")
            }
            var adBreak = ListedBreak(id: nil, start: .zero)
            adBreak.ads = reader.ads(document.ads, of: adBreak)
            if !adBreak.ads.isEmpty { reader.answer.breaks.append(adBreak) }
            return YospaceDocument(answer: reader.answer)
        }
        for entry in document.breaks {
            guard let start = start(of: entry, clock) else {
                reader.ignore(entry, total: clock.total)
                continue
            }
            reader.add(entry, at: start)
            if let last = reader.answer.breaks.indices.last {
                reader.answer.breaks[last].statedDuration = reading.xml.tree.flatMap { length(of: entry, in: $0) }
            }
        }
        reader.answer.separateBreaks()
        return YospaceDocument(answer: reader.answer)
    }

    private static func start(of entry: VMAPDocument.Break, _ clock: Clock) -> ExactDecimal? {
        switch clock {
        case .records: .zero
        case .programme(let total): VMAPAnswer.moment(of: entry.timeOffset, total: total)
        }
    }

    /// The length in the extension of a break.
    private static func length(of entry: VMAPDocument.Break, in tree: XMLTree) -> ExactDecimal? {
        guard let node = tree.children(XMLTree.root).first(where: { tree.position($0) == entry.position }),
            let adBreak = tree.extensionElement("AdBreak", in: node)
        else { return nil }
        return tree.attribute("duration", of: adBreak).flatMap(ListedTime.seconds(text:))
    }

    /// The id that the records in the media have for an ad.
    @Sendable private static func mediaID(_ creative: VASTDocument.Creative) -> String? {
        guard let id = creative.adID else { return creative.id }
        guard let mark = id.firstRange(of: "_YO_") else { return id }
        return String(id[mark.upperBound...])
    }
}
