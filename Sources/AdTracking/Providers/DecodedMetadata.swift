package import Ports

/// The content of one metadata document and the findings from reading it.
package struct DecodedMetadata: Hashable, Sendable {
    /// Maximum number of findings that reading keeps per document; a hostile document could have millions.
    package static let findingsKept = 200
    /// Maximum number of URLs per event; real events have a handful.
    package static let urlsPerEvent = 100

    /// The window that the document lists completely: what it lacks there has vanished. Nil when it does not claim to list
    /// everything of any window; then what it lacks is kept (TRK-17).
    package var dataRange: DataRange?
    /// Whether what it lacks is over and not gone, ads and events of breaks that it lists included: pages list only what is
    /// not finished (PRV-9).
    package var keepsUnlisted = false
    /// Date before which its ads do not grow any more, where it has no ``dataRange``; nil where none grows, as in recorded media.
    package var settledUntil: UnixTime?
    /// Ordered by start; the ads of each break too.
    package var breaks: [AdBreak]
    package var findings: [Finding]

    package init(dataRange: DataRange? = nil, breaks: [AdBreak] = [], findings: [Finding] = []) {
        self.dataRange = dataRange
        self.breaks = breaks
        self.findings = findings
    }
}

extension DecodedMetadata {
    /// The same document, with the texts of the one before it where that lists the same events: each document would keep its own beside those
    /// of the ledger.
    func sharingTexts(with former: DecodedMetadata?) -> DecodedMetadata {
        guard let former else { return self }
        var known: [AdPlace: [TrackingEvent]] = [:]
        for ad in former.breaks.lazy.flatMap(\.ads) { known[AdPlace(ad)] = ad.events }
        var document = self
        for (index, adBreak) in breaks.enumerated() {
            for (number, ad) in adBreak.ads.enumerated() {
                guard let events = known[AdPlace(ad)], events == ad.events else { continue }
                document.breaks[index].ads[number].events = events
            }
        }
        return document
    }

    /// Where documents list an ad.
    private struct AdPlace: Hashable {
        var name: String?
        var start: UnixTime

        init(_ ad: Ad) { (name, start) = (ad.name, ad.start) }
    }
}
