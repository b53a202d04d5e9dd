extension DocumentReader {
    /// Returns one value per Linear, NonLinearAds or CompanionAds, in document order.
    func creatives(_ node: XMLTree.Index) -> [VASTDocument.Creative] {
        var contents: [(content: VASTDocument.Creative.Content, position: SourcePosition)] = []
        var universalAdIDs: [VASTDocument.UniversalAdID] = []
        var extensionList: [VASTDocument.Extension] = []
        for child in tree.children(node) {
            switch tree.element(child) {
            case .linear: contents.append((.linear(linear(child)), tree.position(child)))
            case .nonLinearAds: contents.append((.nonLinear(nonLinearAds(child)), tree.position(child)))
            case .companionAds: contents.append((.companions(companionAds(child)), tree.position(child)))
            case .universalAdId: universalAdIDs.append(universalAdID(child))
            case .creativeExtensions: extensionList += extensions(child, .creativeExtension)
            default: break
            }
        }
        return contents.map { entry in
            VASTDocument.Creative(
                id: tree.value(.id, of: node), adID: tree.value(.adId, of: node),
                sequence: integer(.sequence, of: node),
                apiFramework: tree.value(.apiFramework, of: node), universalAdIDs: universalAdIDs,
                extensions: extensionList, content: entry.content, position: tree.position(node))
        }
    }

    private func universalAdID(_ node: XMLTree.Index) -> VASTDocument.UniversalAdID {
        VASTDocument.UniversalAdID(
            registry: tree.value(.idRegistry, of: node), value: tree.text(node),
            idValue: tree.value(.idValue, of: node),
            position: tree.position(node))
    }

    // MARK: Linear

    private func linear(_ node: XMLTree.Index) -> VASTDocument.Linear {
        var linear = VASTDocument.Linear(
            skipOffset: tree.value(.skipoffset, of: node), position: tree.position(node))
        for child in tree.children(node) { read(child, into: &linear) }
        linear.skipOffsetMilliseconds = linear.skipOffset.flatMap(ValueReader.offset)?
            .milliseconds(ofDuration: linear.durationMilliseconds)
        return linear
    }

    private func read(_ node: XMLTree.Index, into linear: inout VASTDocument.Linear) {
        switch tree.element(node) {
        case .duration where linear.durationText == nil:
            let text = tree.text(node)
            linear.durationText = text
            linear.durationMilliseconds = ValueReader.milliseconds(text)
        case .trackingEvents: readTrackings(node, into: &linear)
        case .adParameters where linear.adParameters == nil: linear.adParameters = adParameters(node)
        case .mediaFiles: readFiles(node, into: &linear)
        case .videoClicks: readClicks(node, into: &linear)
        case .icons:
            for child in tree.children(node) where tree.element(child) == .icon { linear.icons.append(icon(child)) }
        default: break
        }
    }

    private func readTrackings(_ node: XMLTree.Index, into linear: inout VASTDocument.Linear) {
        for tracking in trackings(node) {
            guard tracking.event == EventName.progress.rawValue else {
                linear.tracking.append(tracking)
                continue
            }
            // A progress event without an offset has no time to fire at (VAST 4.3 section 3.14.1).
            guard let offset = tracking.offset else { continue }
            linear.progress.append(
                ProgressTracking(
                    offset: offset, point: ValueReader.offset(offset), url: tracking.url, position: tracking.position))
        }
    }

    private func readFiles(_ node: XMLTree.Index, into linear: inout VASTDocument.Linear) {
        for child in tree.children(node) {
            switch tree.element(child) {
            case .mediaFile: linear.mediaFiles.append(mediaFile(child))
            case .mezzanine: linear.mezzanines.append(mediaFile(child))
            case .interactiveCreativeFile: linear.interactiveFiles.append(interactiveFile(child))
            case .closedCaptionFiles:
                for file in tree.children(child) where tree.element(file) == .closedCaptionFile {
                    linear.closedCaptions.append(
                        VASTDocument.ClosedCaption(
                            url: tree.text(file), type: tree.value(.type, of: file),
                            language: tree.value(.language, of: file), position: tree.position(file)))
                }
            default: break
            }
        }
    }

    private func readClicks(_ node: XMLTree.Index, into linear: inout VASTDocument.Linear) {
        for child in tree.children(node) {
            switch tree.element(child) {
            case .clickThrough where linear.clickThrough == nil: linear.clickThrough = presentLink(child)
            case .clickTracking: appendIfPresent(child, to: &linear.clickTracking)
            case .customClick: appendIfPresent(child, to: &linear.customClicks)
            default: break
            }
        }
    }

    // MARK: Files

    func mediaFile(_ node: XMLTree.Index) -> VASTDocument.MediaFile {
        var file = VASTDocument.MediaFile(url: tree.text(node))
        file.position = tree.position(node)
        for attribute in tree.attributes(of: node) {
            guard let name = tree.names.attribute(attribute.name), attribute.valueStart < attribute.valueEnd else {
                continue
            }
            set(name, tree.value(attribute), of: &file)
        }
        return file
    }

    private func set(_ name: AttributeName, _ text: String, of file: inout VASTDocument.MediaFile) {
        switch name {
        case .id: file.id = text
        case .delivery: file.delivery = ValueReader.word(text)
        case .type: file.type = ValueReader.word(text)
        case .codec: file.codec = ValueReader.word(text)
        case .bitrate: file.bitrate = ValueReader.integer(text)
        case .minBitrate: file.minimumBitrate = ValueReader.integer(text)
        case .maxBitrate: file.maximumBitrate = ValueReader.integer(text)
        case .width: file.width = ValueReader.integer(text)
        case .height: file.height = ValueReader.integer(text)
        case .scalable: file.isScalable = ValueReader.bool(text)
        case .maintainAspectRatio: file.maintainsAspectRatio = ValueReader.bool(text)
        case .apiFramework: file.apiFramework = ValueReader.word(text)
        case .fileSize: file.fileSize = ValueReader.integer(text)
        case .mediaType: file.mediaType = ValueReader.word(text)
        default: break
        }
    }

    func interactiveFile(_ node: XMLTree.Index) -> VASTDocument.InteractiveFile {
        VASTDocument.InteractiveFile(
            url: tree.text(node), type: tree.value(.type, of: node), apiFramework: tree.value(.apiFramework, of: node),
            hasVariableDuration: bool(.variableDuration, of: node), position: tree.position(node))
    }

    func adParameters(_ node: XMLTree.Index) -> VASTDocument.AdParameters {
        VASTDocument.AdParameters(value: tree.text(node), isXMLEncoded: bool(.xmlEncoded, of: node))
    }

    /// Nil when the element is empty.
    func presentLink(_ node: XMLTree.Index) -> Link? {
        let link = link(node)
        return link.url.isEmpty ? nil : link
    }
}
