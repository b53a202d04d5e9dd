extension Linter {
    mutating func checkNonLinearAds(_ node: XMLTree.Index, isInline: Bool) {
        checkTracking(
            all(.trackingEvents, in: node).flatMap { all(.tracking, in: $0) }, subject: .nonLinear, duration: nil)
        for ad in all(.nonLinear, in: node) {
            let hasResource = hasResource(ad)
            guard isInline else {
                if hasResource { report(.wrapperWithMedia, "A wrapper has resources; they are ignored.", at: ad) }
                continue
            }
            if reader.integer(.width, of: ad) == nil || reader.integer(.height, of: ad) == nil {
                report(.nonlinearSize, "The NonLinear has no width or height.", at: ad)
            }
            if !hasResource, tree.first(.mediaFiles, in: ad) == nil {
                report(.nonlinearNoResource, "The NonLinear has no resource.", at: ad)
            }
            checkNumbers([.width, .height, .expandedWidth, .expandedHeight], of: ad)
            checkTimes([.minSuggestedDuration], of: ad)
            checkFlags([.scalable, .maintainAspectRatio], of: ad)
            checkResources(of: ad)
        }
    }

    mutating func checkCompanionAds(_ node: XMLTree.Index, isInline: Bool) {
        if let required = tree.value(.required, of: node), !["all", "any", "none"].contains(required) {
            report(.companionRequiredValue, "required is \(required), not all, any or none.", at: node)
        }
        for companion in all(.companion, in: node) {
            if reader.integer(.width, of: companion) == nil || reader.integer(.height, of: companion) == nil {
                report(.companionSize, "The Companion has no width or height.", at: companion)
            }
            checkNumbers(
                [.width, .height, .assetWidth, .assetHeight, .expandedWidth, .expandedHeight], of: companion)
            // A wrapper's companion may contain only click trackers, for the companion of the inline ad.
            let isTracker = !isInline && tree.first(.companionClickTracking, in: companion) != nil
            if !isTracker, !hasResource(companion) {
                report(.companionNoResource, "The Companion has no resource.", at: companion)
            }
            for click in all(.companionClickTracking, in: companion)
            where version >= .v4 && tree.value(.id, of: click) == nil {
                report(.companionClicktrackingId, "CompanionClickTracking has no id.", at: click)
            }
            checkTracking(
                all(.trackingEvents, in: companion).flatMap { all(.tracking, in: $0) }, subject: .companion,
                duration: nil)
            checkResources(of: companion)
        }
    }

    mutating func checkIcon(_ node: XMLTree.Index) {
        let wanted: [AttributeName] = version < .v4 ? [.program, .width, .height, .xPosition, .yPosition] : []
        let missing = wanted.filter { tree.value($0, of: node) == nil }
        if !missing.isEmpty {
            report(.iconAttributes, "The Icon lacks \(missing.map(\.rawValue).joined(separator: ", ")).", at: node)
        }
        for (name, words) in [(AttributeName.xPosition, ["left", "right"]), (.yPosition, ["top", "bottom"])] {
            guard let text = tree.value(name, of: node), !words.contains(text), Int(text) == nil else { continue }
            report(
                .iconAttributes, "\(name.rawValue) is \(text), not pixels or \(words.joined(separator: ", ")).",
                at: node)
        }
        checkNumbers([.width, .height], of: node)
        checkTimes([.offset, .duration], of: node)
        if !hasResource(node) { report(.iconNoResource, "The Icon has no resource.", at: node) }
        if let clicks = tree.first(.iconClicks, in: node), tree.first(.iconClickThrough, in: clicks) == nil {
            report(.iconClickthrough, "IconClicks has no IconClickThrough.", at: clicks)
        }
        checkResources(of: node)
    }

    private func hasResource(_ node: XMLTree.Index) -> Bool {
        tree.children(node).contains {
            [.staticResource, .iFrameResource, .htmlResource].contains(tree.element($0)) && tree.textLength($0) > 0
        }
    }

    private mutating func checkResources(of node: XMLTree.Index) {
        for resource in all(.staticResource, in: node) where tree.value(.creativeType, of: resource) == nil {
            report(.resourceCreativetype, "StaticResource has no creativeType.", at: resource)
        }
    }
}
