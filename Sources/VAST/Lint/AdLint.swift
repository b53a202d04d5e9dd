import Ports

extension Linter {
    /// Checks the root and its ads.
    mutating func checkVAST(_ document: VASTDocument, at root: XMLTree.Index) {
        checkVersion(document, at: root)
        let ads = all(.ad, in: root)
        if ads.isEmpty, document.errors.isEmpty {
            report(.noAd, "The document has neither an Ad nor an Error.", at: root)
        }
        if !ads.isEmpty, let error = tree.first(.error, in: root) {
            report(.rootErrorWithAd, "The root has an Error and an Ad; 4.x allows only one of the two.", at: error)
        }
        checkSequences(ads)
        for ad in ads { checkAd(ad) }
    }

    private mutating func checkVersion(_ document: VASTDocument, at root: XMLTree.Index) {
        if !tree.names.entry(tree.nodes[Int(root)].name).isExact { return }
        guard let text = document.version else {
            report(.versionMissing, "The version attribute is missing.", at: root)
            return
        }
        guard let version = document.versionNumber, Self.knownVersions.contains(version) else {
            report(.versionUnknown, "The version \(text) is not one of 2.0 to 4.4.", at: root)
            return
        }
        if version == .v44 || usesDraftNonLinear(root) {
            report(.versionDraft, "The document uses the draft of VAST 4.4.", at: root)
        }
        if version >= .v4, let namespace = document.namespace, namespace != Self.vastNamespace {
            report(.wrongNamespace, "The namespace is \(namespace), not \(Self.vastNamespace).", at: root)
        }
        if usesNewerVersion {
            report(.versionMismatch, "The document uses elements or attributes newer than \(version.text).", at: root)
        }
    }

    private static let vastNamespace = "http://www.iab.com/VAST"
    private static let knownVersions: Set<VASTVersion> = [
        .v2, VASTVersion(2, 1), .v3, .v4, .v41, .v42, .v43, .v44,
    ]

    /// Whether a NonLinear contains Duration or MediaFiles (VAST-3).
    private func usesDraftNonLinear(_ root: XMLTree.Index) -> Bool {
        tree.nodes.indices.contains { index in
            let node = XMLTree.Index(index)
            return tree.element(node) == .nonLinear
                && tree.children(node).contains { tree.element($0) == .duration || tree.element($0) == .mediaFiles }
        }
    }

    // MARK: Pods

    private mutating func checkSequences(_ ads: [XMLTree.Index]) {
        if ads.count == 1, let text = tree.value(.sequence, of: ads[0]) {
            report(
                .sequenceOnSingle,
                "A single ad has the sequence \(text); strict players reject it behind a wrapper that allows one ad.",
                at: ads[0], severity: .info)
        }
        var places: [Int: XMLTree.Index] = [:]
        for ad in ads {
            guard let text = tree.value(.sequence, of: ad) else { continue }
            guard let place = ValueReader.integer(text), place > 0, text.utf8.allSatisfy(\.isDigit) else {
                report(
                    .sequenceInvalid, "The sequence \(text) is not a number above 0; the ad is a stand-alone ad.",
                    at: ad)
                continue
            }
            if places[place] != nil {
                report(.sequenceDuplicate, "The sequence \(place) is repeated; document order decides.", at: ad)
            }
            places[place] = places[place] ?? ad
        }
        let sorted = places.keys.sorted()
        for (index, place) in sorted.enumerated() {
            let expected = index == 0 ? 1 : sorted[index - 1].addingSaturating(1)
            guard place != expected, sorted.count > 1, let ad = places[place] else { continue }
            // Some servers number by their own ids, from any start; only a gap inside the numbering costs ads.
            if index == 0, place != 2 { continue }
            report(.sequenceGap, "The sequence \(place) follows \(expected - 1): a gap in the pod.", at: ad)
        }
    }

    // MARK: One ad

    private mutating func checkAd(_ node: XMLTree.Index) {
        let bodies = tree.children(node).filter { tree.element($0) == .inLine || tree.element($0) == .wrapper }
        guard let body = bodies.first else {
            report(.adEmpty, "The Ad has neither InLine nor Wrapper.", at: node)
            return
        }
        if Set(bodies.map { tree.element($0) }).count > 1 {
            report(.inlineAndWrapper, "The Ad has both InLine and Wrapper; the first counts.", at: node)
        }
        checkFlags([.conditionalAd], of: node)
        if version >= .v41, tree.value(.conditionalAd, of: node) != nil {
            report(.conditionaladDeprecated, "conditionalAd is deprecated since VAST 4.1.", at: node)
        }
        if let type = tree.value(.adType, of: node), !Self.adTypes.contains(type) {
            report(.valueFormat, "The adType \(type) is not video, audio or hybrid.", at: node)
        }
        let isInline = tree.element(body) == .inLine
        if isInline { checkInline(body) } else { checkWrapper(body) }
        checkShared(body)
        for list in all(.creatives, in: body) {
            for creative in all(.creative, in: list) { checkCreative(creative, isInline: isInline) }
        }
    }

    private static let adTypes: Set<String> = ["video", "audio", "hybrid"]

    private mutating func checkInline(_ body: XMLTree.Index) {
        let required: [(ElementName, LintRule)] = [
            (.adSystem, .adsystemMissing), (.adTitle, .adtitleMissing), (.impression, .impressionMissing),
            (.creatives, .creativesMissing),
        ]
        for (name, rule) in required where tree.first(name, in: body) == nil {
            report(rule, "<\(name.rawValue)> is missing.", at: body)
        }
        if version >= .v41, tree.first(.adServingId, in: body) == nil {
            report(.adservingidMissing, "<AdServingId> is missing; VAST 4.1 and later require it.", at: body)
        }
        if let title = tree.first(.adTitle, in: body), Self.placeholders.contains(tree.text(title).lowercased()) {
            report(.adtitlePlaceholder, "The title is \(tree.text(title)).", at: title)
        }
        if let expires = tree.first(.expires, in: body) { checkExpires(expires) }
    }

    private mutating func checkExpires(_ node: XMLTree.Index) {
        guard let seconds = Int(tree.text(node)), seconds >= 0 else {
            report(.expiresFormat, "Expires is \(tree.text(node)), not a whole number of seconds.", at: node)
            return
        }
        if seconds == 0 {
            report(.expiresPast, "Expires is 0; the ad expires before it can start.", at: node)
        }
    }

    private static let placeholders: Set<String> = [
        "test", "title", "ad title", "adtitle", "vast ad", "untitled", "n/a",
    ]

    private mutating func checkWrapper(_ body: XMLTree.Index) {
        let tag = tree.first(.vastAdTagURI, in: body)
        let legacy = tree.first(.vastAdTagURL, in: body)
        if tag == nil, let legacy {
            report(.legacyVastadtagurl, "VASTAdTagURL is the spelling of VAST 1; write VASTAdTagURI.", at: legacy)
        } else if tag.flatMap(tree.nonEmptyText) == nil {
            report(.wrapperWithoutUri, "The wrapper has no VASTAdTagURI.", at: body)
        }
        for attribute in tree.attributes(of: body) {
            guard let name = tree.names.attribute(attribute.name), Self.flags.contains(name) else { continue }
            if tree.names.text(attribute.name) == AttributeName.misspeltFollowAdditionalWrappers {
                report(.wrapperBool, "followAdditonalWrappers is misspelled; write followAdditionalWrappers.", at: body)
            }
            if ValueReader.bool(tree.value(attribute)) == nil {
                report(.wrapperBool, "\(name.rawValue) is \(tree.value(attribute)), not true or false.", at: body)
            }
        }
        for blocked in all(.blockedAdCategories, in: body) where tree.value(.authority, of: blocked) == nil {
            report(.blockedAuthority, "BlockedAdCategories has no authority, so its codes are ambiguous.", at: blocked)
        }
    }

    private static let flags: Set<AttributeName> = [.followAdditionalWrappers, .allowMultipleAds, .fallbackOnNoAd]

    private mutating func checkShared(_ body: XMLTree.Index) {
        for category in all(.category, in: body) where tree.value(.authority, of: category) == nil {
            report(.categoryAuthority, "Category has no authority, so its code is ambiguous.", at: category)
        }
        for survey in all(.survey, in: body) where version >= .v41 {
            report(.surveyDeprecated, "Survey is deprecated since VAST 4.1.", at: survey)
        }
        for viewable in all(.viewableImpression, in: body) where !tree.hasChildren(viewable) {
            report(.viewableEmpty, "ViewableImpression has no URL.", at: viewable)
        }
        if let pricing = tree.first(.pricing, in: body) { checkPricing(pricing) }
        for list in all(.adVerifications, in: body) { checkVerifications(list) }
        checkDuplicates(all(.impression, in: body), .duplicateImpression) { _ in "impression" }
    }

    private mutating func checkPricing(_ node: XMLTree.Index) {
        let model = tree.value(.model, of: node)?.lowercased()
        if !["cpm", "cpc", "cpe", "cpv"].contains(model) {
            report(.pricingModel, "The model \(model ?? "(none)") is not cpm, cpc, cpe or cpv.", at: node)
        }
        let currency = tree.value(.currency, of: node) ?? ""
        if currency.utf8.count != 3 || !currency.allSatisfy(\.isLetter) {
            report(.pricingCurrency, "The currency \(currency) is not an ISO 4217 code.", at: node)
        }
        if ValueReader.decimal(tree.text(node)) == nil {
            report(
                .pricingValue, "The price \(tree.text(node)) is not a number; it may be encoded by agreement.", at: node
            )
        }
    }

    /// A URL listed twice for one event is requested twice and counts twice.
    mutating func checkDuplicates(
        _ nodes: [XMLTree.Index], _ rule: LintRule, event: (XMLTree.Index) -> String
    ) {
        guard nodes.count > 1 else { return }
        var seen = Set<String>(minimumCapacity: nodes.count)
        for node in nodes {
            guard let url = tree.nonEmptyText(node) else { continue }
            let event = event(node)
            if !seen.insert("\(event) \(url)").inserted {
                report(rule, "The same URL is repeated for \(event) and counts twice.", at: node)
            }
        }
    }
}
