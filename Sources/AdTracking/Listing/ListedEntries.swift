import Ports

/// Entries of an ad as answers list them: each one is an event or the landing page.
extension ListedAnswer {
    /// Adds one entry to an ad. `clickThrough` is no event: its first usable address is the landing page (PRV-6).
    /// - Parameters:
    ///   - statedOffset: seconds from the start of the ad; nil where the answer has none.
    ///   - node: what findings call the ad.
    mutating func add(
        _ name: String, _ urls: [String], statedOffset: ExactDecimal? = nil, to ad: inout ListedAd, at node: String
    ) {
        guard name.lowercased() != "clickthrough" else {
            ad.clickThrough = ad.clickThrough ?? urls.first { !$0.isEmpty && !URLText($0).isUnusable }
            return
        }
        guard ad.events.count < Self.eventsPerAd,
            let event = event(name, urls, statedOffset: statedOffset, window: nil, at: node)
        else { return }
        ad.events.append(event)
    }

    /// Most events of one ad or break; real ads have about twenty.
    static let eventsPerAd = 500

    /// The ad with entries of one type and moment joined (PRV-8).
    mutating func joined(_ ad: ListedAd, at node: String) -> ListedAd {
        var ad = ad
        ad.events = joined(ad.events, inLength: ad.length, at: node)
        return ad
    }
}

extension JSONValue {
    /// A text or a whole number as an identifier; nil for all else and for an empty text.
    var identifierText: String? {
        if let text = stringValue { return text.isEmpty ? nil : text }
        return integerValue.map(String.init)
    }

    /// A number, or a text with one.
    var listedNumber: ExactDecimal? { exactText ?? decimalValue }

    /// A text, or the texts of a list.
    var textList: [String] { stringValue.map { [$0] } ?? arrayValue?.compactMap(\.stringValue) ?? [] }
}
