extension DocumentReader {
    // MARK: NonLinear

    func nonLinearAds(_ node: XMLTree.Index) -> VASTDocument.NonLinearAds {
        var ads = VASTDocument.NonLinearAds(position: tree.position(node))
        for child in tree.children(node) {
            switch tree.element(child) {
            case .trackingEvents: ads.tracking += trackings(child)
            case .nonLinear: ads.nonLinears.append(nonLinear(child))
            default: break
            }
        }
        return ads
    }

    private func nonLinear(_ node: XMLTree.Index) -> VASTDocument.NonLinear {
        var ad = VASTDocument.NonLinear(
            id: tree.value(.id, of: node), width: integer(.width, of: node), height: integer(.height, of: node),
            expandedWidth: integer(.expandedWidth, of: node), expandedHeight: integer(.expandedHeight, of: node),
            isScalable: bool(.scalable, of: node), maintainsAspectRatio: bool(.maintainAspectRatio, of: node),
            minimumSuggestedDurationMilliseconds: milliseconds(.minSuggestedDuration, of: node),
            apiFramework: tree.value(.apiFramework, of: node), position: tree.position(node))
        var hasDuration = false
        for child in tree.children(node) {
            if read(child, into: &ad.resources) { continue }
            switch tree.element(child) {
            case .duration where !hasDuration:
                hasDuration = true
                ad.durationMilliseconds = ValueReader.milliseconds(tree.text(child))
            case .mediaFiles:
                for file in tree.children(child) {
                    switch tree.element(file) {
                    case .mediaFile: ad.mediaFiles.append(mediaFile(file))
                    case .interactiveCreativeFile: ad.interactiveFiles.append(interactiveFile(file))
                    default: break
                    }
                }
            case .adParameters where ad.adParameters == nil: ad.adParameters = adParameters(child)
            case .nonLinearClickThrough where ad.clickThrough == nil: ad.clickThrough = presentLink(child)
            case .nonLinearClickTracking: appendIfPresent(child, to: &ad.clickTracking)
            case .trackingEvents: ad.tracking += trackings(child)
            default: break
            }
        }
        return ad
    }

    // MARK: Companions

    func companionAds(_ node: XMLTree.Index) -> VASTDocument.CompanionAds {
        VASTDocument.CompanionAds(
            required: tree.value(.required, of: node),
            companions: tree.children(node).compactMap { tree.element($0) == .companion ? companion($0) : nil },
            position: tree.position(node))
    }

    private func companion(_ node: XMLTree.Index) -> VASTDocument.Companion {
        var companion = VASTDocument.Companion(
            id: tree.value(.id, of: node), width: integer(.width, of: node), height: integer(.height, of: node),
            assetWidth: integer(.assetWidth, of: node), assetHeight: integer(.assetHeight, of: node),
            expandedWidth: integer(.expandedWidth, of: node), expandedHeight: integer(.expandedHeight, of: node),
            apiFramework: tree.value(.apiFramework, of: node), adSlotID: tree.value(.adSlotId, of: node),
            pixelRatio: tree.value(.pxratio, of: node), renderingMode: tree.value(.renderingMode, of: node),
            position: tree.position(node))
        for child in tree.children(node) {
            if read(child, into: &companion.resources) { continue }
            switch tree.element(child) {
            case .altText where companion.altText == nil: companion.altText = tree.text(child)
            case .adParameters where companion.adParameters == nil: companion.adParameters = adParameters(child)
            case .companionClickThrough where companion.clickThrough == nil:
                companion.clickThrough = presentLink(child)
            case .companionClickTracking: appendIfPresent(child, to: &companion.clickTracking)
            case .trackingEvents: companion.tracking += trackings(child)
            default: break
            }
        }
        return companion
    }

    // MARK: Icons

    func icon(_ node: XMLTree.Index) -> VASTDocument.Icon {
        var icon = VASTDocument.Icon(
            program: tree.value(.program, of: node), width: integer(.width, of: node),
            height: integer(.height, of: node),
            xPosition: tree.value(.xPosition, of: node), yPosition: tree.value(.yPosition, of: node),
            offsetMilliseconds: milliseconds(.offset, of: node),
            durationMilliseconds: milliseconds(.duration, of: node),
            apiFramework: tree.value(.apiFramework, of: node), pixelRatio: tree.value(.pxratio, of: node),
            altText: tree.value(.altText, of: node), hoverText: tree.value(.hoverText, of: node),
            position: tree.position(node))
        for child in tree.children(node) {
            if read(child, into: &icon.resources) { continue }
            switch tree.element(child) {
            case .iconClicks: readClicks(child, into: &icon)
            case .iconViewTracking: appendIfPresent(child, to: &icon.viewTracking)
            default: break
            }
        }
        return icon
    }

    private func readClicks(_ node: XMLTree.Index, into icon: inout VASTDocument.Icon) {
        for child in tree.children(node) {
            switch tree.element(child) {
            case .iconClickThrough where icon.clickThrough == nil: icon.clickThrough = presentLink(child)
            case .iconClickTracking: appendIfPresent(child, to: &icon.clickTracking)
            case .iconClickFallbackImages:
                for image in tree.children(child) where tree.element(image) == .iconClickFallbackImage {
                    icon.fallbackImages.append(fallbackImage(image))
                }
            default: break
            }
        }
    }

    private func fallbackImage(_ node: XMLTree.Index) -> VASTDocument.Icon.FallbackImage {
        VASTDocument.Icon.FallbackImage(
            url: tree.first(.staticResource, in: node).flatMap(tree.nonEmptyText), width: integer(.width, of: node),
            height: integer(.height, of: node), altText: tree.first(.altText, in: node).map(tree.text))
    }

    /// Reads the element if it is a resource and returns whether it is; empty resources are dropped.
    private func read(_ node: XMLTree.Index, into resources: inout VASTDocument.Resources) -> Bool {
        switch tree.element(node) {
        case .staticResource:
            guard let url = tree.nonEmptyText(node) else { return true }
            resources.statics.append(
                VASTDocument.Resources.Static(
                    url: url, creativeType: tree.value(.creativeType, of: node), position: tree.position(node)))
        case .iFrameResource: appendIfPresent(node, to: &resources.iFrames)
        case .htmlResource:
            if let html = tree.nonEmptyText(node) { resources.html.append(html) }
        default: return false
        }
        return true
    }
}
