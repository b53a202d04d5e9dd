/// Converts the elements of a document to values. Elements are found by local name where some version of VAST defines
/// them, and nowhere else.
///
/// Content of Extension and CreativeExtension is ignored, except AdVerifications of an ad that has none of its own:
/// VAST 2 and 3 transport them in an extension (VAST-4).
struct DocumentReader {
    let tree: XMLTree

    func vast(at root: XMLTree.Index) -> VASTDocument {
        let version = tree.value(.version, of: root)
        var document = VASTDocument(
            root: tree.name(root), namespace: tree.namespace(root), version: version, position: tree.position(root))
        for child in tree.children(root) {
            switch tree.element(child) {
            case .error: document.errors.append(link(child))
            case .ad:
                if let ad = ad(child) { document.ads.append(ad) }
            default: break
            }
        }
        return document
    }

    // MARK: Ad

    private func ad(_ node: XMLTree.Index) -> VASTDocument.Ad? {
        // If one Ad has both, the first in document order counts.
        guard let body = tree.children(node).first(where: { isAdBody(tree.element($0)) }) else { return nil }
        var ad = VASTDocument.Ad(
            id: tree.value(.id, of: node),
            sequence: tree.value(.sequence, of: node).flatMap(ValueReader.signedInteger),
            adType: tree.value(.adType, of: node),
            isConditional: bool(.conditionalAd, of: node), kind: .inLine, position: tree.position(node))
        for child in tree.children(body) { read(child, into: &ad) }
        if tree.element(body) == .wrapper { ad.kind = .wrapper(wrapper(body)) }
        if ad.verifications.isEmpty { ad.verifications = extensionVerifications(body) }
        return ad
    }

    private func isAdBody(_ name: ElementName?) -> Bool { name == .inLine || name == .wrapper }

    private func read(_ node: XMLTree.Index, into ad: inout VASTDocument.Ad) {
        switch tree.element(node) {
        case .adSystem where ad.system == nil:
            ad.system = VASTDocument.System(name: tree.text(node), version: tree.value(.version, of: node))
        case .adTitle where ad.title == nil: ad.title = tree.text(node)
        case .description where ad.description == nil: ad.description = tree.text(node)
        case .adServingId where ad.adServingID == nil: ad.adServingID = tree.text(node)
        case .advertiser where ad.advertiser == nil:
            ad.advertiser = VASTDocument.Advertiser(name: tree.text(node), id: tree.value(.id, of: node))
        case .pricing where ad.pricing == nil:
            ad.pricing = VASTDocument.Pricing(
                value: tree.text(node), model: tree.value(.model, of: node), currency: tree.value(.currency, of: node),
                position: tree.position(node))
        case .expires where ad.expiresSeconds == nil: ad.expiresSeconds = ValueReader.integer(tree.text(node))
        case .survey:
            ad.surveys.append(
                VASTDocument.Survey(
                    url: tree.text(node), type: tree.value(.type, of: node), position: tree.position(node)))
        case .impression: ad.impressions.append(link(node))
        case .error: ad.errors.append(link(node))
        case .category: ad.categories.append(category(node))
        case .blockedAdCategories: ad.blockedCategories.append(category(node))
        case .viewableImpression: ad.viewableImpressions.append(viewableImpression(node))
        case .adVerifications: ad.verifications += verifications(node, isFromExtension: false)
        case .extensions: ad.extensions += extensions(node, .extension)
        case .creatives:
            for child in tree.children(node) where tree.element(child) == .creative {
                ad.creatives += creatives(child)
            }
        default: break
        }
    }

    private func wrapper(_ node: XMLTree.Index) -> VASTDocument.Wrapper {
        var wrapper = VASTDocument.Wrapper()
        if let flag = bool(.followAdditionalWrappers, of: node) { wrapper.followAdditionalWrappers = flag }
        if let flag = bool(.allowMultipleAds, of: node) { wrapper.allowMultipleAds = flag }
        wrapper.fallbackOnNoAd = bool(.fallbackOnNoAd, of: node)
        if let tag = tree.first(.vastAdTagURI, in: node) {
            wrapper.adTagURI = link(tag)
        } else if let tag = tree.first(.vastAdTagURL, in: node) {
            wrapper.adTagURI = link(tree.first(.url, in: tag) ?? tag)
        }
        return wrapper
    }

    private func category(_ node: XMLTree.Index) -> VASTDocument.Category {
        VASTDocument.Category(
            authority: tree.value(.authority, of: node), value: tree.text(node), position: tree.position(node))
    }

    private func viewableImpression(_ node: XMLTree.Index) -> VASTDocument.ViewableImpression {
        var impression = VASTDocument.ViewableImpression(
            id: tree.value(.id, of: node), position: tree.position(node))
        for child in tree.children(node) {
            switch tree.element(child) {
            case .viewable: appendIfPresent(child, to: &impression.viewable)
            case .notViewable: appendIfPresent(child, to: &impression.notViewable)
            case .viewUndetermined: appendIfPresent(child, to: &impression.viewUndetermined)
            default: break
            }
        }
        return impression
    }

    // MARK: Verifications

    private func extensionVerifications(_ body: XMLTree.Index) -> [VASTDocument.Verification] {
        var found: [VASTDocument.Verification] = []
        for list in tree.children(body) where tree.element(list) == .extensions {
            for entry in tree.children(list) where tree.element(entry) == .extension {
                for child in tree.children(entry) where tree.element(child) == .adVerifications {
                    found += verifications(child, isFromExtension: true)
                }
            }
        }
        return found
    }

    private func verifications(_ list: XMLTree.Index, isFromExtension: Bool) -> [VASTDocument.Verification] {
        tree.children(list).compactMap { node in
            guard tree.element(node) == .verification else { return nil }
            var verification = VASTDocument.Verification(
                vendor: tree.value(.vendor, of: node), isFromExtension: isFromExtension, position: tree.position(node))
            for child in tree.children(node) { read(child, into: &verification) }
            return verification
        }
    }

    private func read(_ node: XMLTree.Index, into verification: inout VASTDocument.Verification) {
        switch tree.element(node) {
        case .javaScriptResource: appendResource(node, .javaScript, to: &verification)
        case .executableResource: appendResource(node, .executable, to: &verification)
        case .flashResource: appendResource(node, .flash, to: &verification)
        case .trackingEvents: verification.tracking += trackings(node)
        case .verificationParameters where verification.parameters == nil: verification.parameters = tree.text(node)
        default: break
        }
    }

    private func appendResource(
        _ node: XMLTree.Index, _ kind: VASTDocument.Verification.Resource.Kind,
        to verification: inout VASTDocument.Verification
    ) {
        guard let url = tree.nonEmptyText(node) else { return }
        verification.resources.append(
            VASTDocument.Verification.Resource(
                kind: kind, url: url, apiFramework: tree.value(.apiFramework, of: node),
                type: tree.value(.type, of: node), isBrowserOptional: bool(.browserOptional, of: node),
                position: tree.position(node)))
    }
}

extension DocumentReader {
    // MARK: Values shared by all readers

    func link(_ node: XMLTree.Index) -> Link {
        Link(id: tree.value(.id, of: node), url: tree.text(node), position: tree.position(node))
    }

    func appendIfPresent(_ node: XMLTree.Index, to links: inout [Link]) {
        let link = link(node)
        if !link.url.isEmpty { links.append(link) }
    }

    func integer(_ name: AttributeName, of node: XMLTree.Index) -> Int? {
        tree.value(name, of: node).flatMap(ValueReader.integer)
    }

    func bool(_ name: AttributeName, of node: XMLTree.Index) -> Bool? {
        tree.value(name, of: node).flatMap(ValueReader.bool)
    }

    func milliseconds(_ name: AttributeName, of node: XMLTree.Index) -> Int64? {
        tree.value(name, of: node).flatMap(ValueReader.milliseconds)
    }

    /// Entries without an event or a URL are dropped, because they can never fire.
    func trackings(_ list: XMLTree.Index) -> [Tracking] {
        var trackings: [Tracking] = []
        for node in tree.children(list) where tree.element(node) == .tracking {
            guard let event = event(of: node), let url = tree.nonEmptyText(node) else { continue }
            trackings.append(
                Tracking(
                    event: event, offset: tree.value(.offset, of: node), url: url, position: tree.position(node)))
        }
        return trackings
    }

    /// The event of a Tracking in the spelling of the standard, without the white space around it; nil when it has none.
    func event(of tracking: XMLTree.Index) -> String? {
        tree.value(.event, of: tracking).flatMap(ValueReader.word).map(EventName.spelling)
    }

    func extensions(_ list: XMLTree.Index, _ name: ElementName) -> [VASTDocument.Extension] {
        tree.children(list).compactMap { node in
            guard tree.element(node) == name else { return nil }
            let isLeaf = !tree.hasChildren(node)
            return VASTDocument.Extension(
                type: tree.value(.type, of: node),
                attributes: tree.attributes(of: node).map {
                    VASTDocument.Extension.Attribute(name: tree.names.text($0.name), value: tree.value($0))
                },
                text: isLeaf ? tree.nonEmptyText(node) : nil, children: tree.children(node).map(tree.name),
                rawXML: tree.rawXML(node), position: tree.position(node))
        }
    }
}
