extension ResolvedAd {
    /// `values` completed by the ad itself: ADSERVINGID, ADTYPE, PODSEQUENCE, UNIVERSALADID, and ASSETURI if `assetURL`
    /// is the file that plays. Existing values are kept.
    package func fill(_ values: MacroValues, assetURL: String? = nil) -> MacroValues {
        var values = values
        func add(_ name: MacroName, _ value: MacroValue?) {
            if values[name] == nil, let value { values[name] = value }
        }
        add(.adServingID, ad.adServingID.flatMap { $0.isEmpty ? nil : .text($0) })
        add(.adType, .text(ad.adType ?? "video"))
        add(.podSequence, sequence.map(MacroValue.number))
        let ids = linears.first?.creative.universalAdIDs ?? []
        let registered = ids.map { id in
            "\(id.registry ?? "unknown") \(id.value.isEmpty ? id.idValue ?? "unknown" : id.value)"
        }
        add(.universalAdID, registered.isEmpty ? nil : .list(registered))
        add(.assetURI, assetURL.map(MacroValue.text))
        return values
    }
}

extension TrackingPlan.URL {
    /// Expands the URL as it would be requested. `time` is the position in the ad in milliseconds.
    package func expansion(_ values: MacroValues, at time: Int64?, seed: UInt64) -> MacroExpander.Expansion {
        var values = values
        if let time { values[.adPlayhead] = .playhead(milliseconds: time) }
        values[.cacheBusting] = .eightDigits(seed)
        var expansion = MacroExpander(values: values).expand(template, in: context)
        expansion.url = PercentEncoding.requestTarget(expansion.url)
        return expansion
    }
}
