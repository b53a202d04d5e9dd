import Ports

extension Linter {
    mutating func checkCreative(_ node: XMLTree.Index, isInline: Bool) {
        let contents = tree.children(node).filter {
            [.linear, .nonLinearAds, .companionAds].contains(tree.element($0))
        }
        if contents.isEmpty {
            report(.creativeEmpty, "The Creative has no Linear, NonLinearAds or CompanionAds.", at: node)
        }
        if isInline, version >= .v4 { checkUniversalAdIDs(node) }
        for content in contents {
            switch tree.element(content) {
            case .linear: checkLinear(content, isInline: isInline)
            case .nonLinearAds: checkNonLinearAds(content, isInline: isInline)
            case .companionAds: checkCompanionAds(content, isInline: isInline)
            default: break
            }
        }
    }

    private mutating func checkUniversalAdIDs(_ node: XMLTree.Index) {
        let ids = all(.universalAdId, in: node)
        if ids.isEmpty { report(.universaladidMissing, "<UniversalAdId> is missing; VAST 4 requires it.", at: node) }
        for id in ids {
            if tree.value(.idRegistry, of: id) == nil {
                report(.universaladidIdregistryMissing, "UniversalAdId has no idRegistry.", at: id)
            }
            let hasValue = tree.value(.idValue, of: id) != nil
            if version == .v4, !hasValue {
                report(.universaladidIdvalue, "idValue is missing; VAST 4.0 requires it.", at: id)
            }
            if version >= .v41, hasValue {
                report(
                    .universaladidIdvalue, "idValue was removed in VAST 4.1; the text of the element counts.", at: id)
            }
            if tree.nonEmptyText(id) == nil, !hasValue {
                report(.universaladidEmpty, "UniversalAdId is empty.", at: id)
            }
        }
    }

    // MARK: Linear

    private mutating func checkLinear(_ node: XMLTree.Index, isInline: Bool) {
        let duration = isInline ? checkDuration(node) : nil
        let trackings = all(.trackingEvents, in: node).flatMap { all(.tracking, in: $0) }
        checkTracking(trackings, subject: .linear, duration: duration)
        checkSkip(node, trackings, duration: duration)
        if isInline {
            let quartiles: Set<String> = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
            if !trackings.contains(where: { quartiles.contains(event(of: $0) ?? "") }) {
                report(.trackingNoQuartiles, "The Linear tracks none of start, the quartiles and complete.", at: node)
            }
            if let clicks = tree.first(.videoClicks, in: node), tree.first(.clickThrough, in: clicks) == nil {
                report(.clickthroughMissing, "VideoClicks has no ClickThrough.", at: clicks)
            }
            checkMedia(node)
        } else if tree.first(.mediaFiles, in: node) != nil {
            report(.wrapperWithMedia, "A wrapper has media files; they are ignored.", at: node)
        }
        if let parameters = tree.first(.adParameters, in: node),
            let text = tree.value(.xmlEncoded, of: parameters), ValueReader.bool(text) == nil
        {
            report(.adparametersXmlencoded, "xmlEncoded is \(text), not true or false.", at: parameters)
        }
        for icons in all(.icons, in: node) {
            for icon in all(.icon, in: icons) { checkIcon(icon) }
        }
    }

    private mutating func checkDuration(_ node: XMLTree.Index) -> Int64? {
        guard let element = tree.first(.duration, in: node) else {
            report(.durationMissing, "The Linear has no Duration.", at: node)
            return nil
        }
        guard let duration = ValueReader.milliseconds(tree.text(element)) else {
            let text = tree.text(element)
            let problem = text.isEmpty ? "is empty; it has to be HH:MM:SS" : "\(text) is not HH:MM:SS"
            report(.durationFormat, "The Duration \(problem).", at: element)
            return nil
        }
        let isExact = ValueReader.strictMilliseconds(tree.text(element)) != nil
        if !isExact {
            report(
                .durationFormat, "The Duration \(tree.text(element)) is not HH:MM:SS.", at: element, severity: .warning)
        }
        if duration == 0 { report(.durationZero, "The Duration is zero.", at: element) }
        return duration
    }

    private mutating func checkSkip(_ node: XMLTree.Index, _ trackings: [XMLTree.Index], duration: Int64?) {
        let skips = trackings.filter { event(of: $0) == EventName.skip.rawValue }
        guard let text = tree.value(.skipoffset, of: node) else {
            if let skip = skips.first, duration != nil {
                report(.skipEventWithoutSkipoffset, "The skip event never fires; there is no skipoffset.", at: skip)
            }
            return
        }
        guard let offset = ValueReader.offset(text) else {
            report(
                .skipoffsetFormat,
                "The skipoffset \(text) is neither a time nor a percentage; the ad cannot be skipped.", at: node)
            return
        }
        if let duration, let time = offset.milliseconds(ofDuration: duration), time > duration {
            report(.skipoffsetBeyondDuration, "The skipoffset \(text) is after the end of the creative.", at: node)
        }
        if skips.isEmpty, duration != nil {
            report(.skippableWithoutSkipEvent, "The ad can be skipped, but it has no skip tracker.", at: node)
        }
    }

    // MARK: Tracking

    mutating func checkTracking(_ nodes: [XMLTree.Index], subject: EventName.Subjects, duration: Int64?) {
        for node in nodes {
            guard let event = event(of: node) else {
                report(.trackingWithoutEvent, "The Tracking has no event.", at: node)
                continue
            }
            checkEvent(event, subject, node)
            checkOffset(of: node, event: event, duration: duration)
        }
        let (tree, reader) = (tree, reader)
        checkDuplicates(nodes, .duplicateTracking) {
            "\(reader.event(of: $0) ?? "")\(tree.value(.offset, of: $0).map { " at \($0)" } ?? "")"
        }
    }

    private func event(of tracking: XMLTree.Index) -> String? { reader.event(of: tracking) }

    private mutating func checkEvent(_ event: String, _ subject: EventName.Subjects, _ node: XMLTree.Index) {
        guard let name = EventName(rawValue: event) else {
            report(.trackingEventUnknown, "The event \(event) is not defined in any version.", at: node)
            return
        }
        let subjects = name.subjects(in: version)
        if subjects.isEmpty {
            report(.trackingEventNotInVersion, "\(version.text) has no event \(event).", at: node)
        } else if subjects.isDisjoint(with: subject) {
            report(
                .trackingEventNotForCreative, "The event \(event) is not defined for this kind of creative.", at: node)
        }
    }

    private mutating func checkOffset(of node: XMLTree.Index, event: String, duration: Int64?) {
        let offset = tree.value(.offset, of: node)
        guard event == EventName.progress.rawValue else {
            if let offset, event != EventName.timeSpentViewing.rawValue {
                report(.offsetOnOtherEvent, "The offset \(offset) has no effect on \(event).", at: node)
            }
            return
        }
        guard let offset else {
            report(.progressOffsetMissing, "The progress event has no offset and never fires.", at: node)
            return
        }
        guard let point = ValueReader.offset(offset) else {
            report(.progressOffsetFormat, "The offset \(offset) is neither a time nor a percentage.", at: node)
            return
        }
        if let duration, let time = point.milliseconds(ofDuration: duration), time > duration {
            report(.progressBeyondDuration, "The offset \(offset) is after the end of the creative.", at: node)
        }
    }
}
