import Ports

extension Linter {
    mutating func checkVMAP(_ document: VMAPDocument) {
        let root = XMLTree.root
        if document.version == nil || document.version?.hasPrefix("1.0") == false {
            report(.vmapVersion, "The version is \(document.version ?? "missing"), not 1.0.", at: root)
        }
        let breaks = all(.adBreak, in: root)
        checkNamespaces(root)
        for child in tree.children(root) where tree.element(child) != .adBreak && tree.element(child) != .extensions {
            report(.vmapRootChild, "<\(tree.name(child))> is not allowed in VMAP.", at: child)
        }
        for (node, entry) in zip(breaks, document.breaks) { checkBreak(node, entry) }
        checkOrder(breaks, document.breaks)
        // VMAP 1.0 dates from VAST 3; its own URLs are checked by the rules of that version.
        version = .v3
        checkURLs(from: root)
        for node in breaks {
            for vast in vastDocuments(in: node) {
                let nested = reader.vast(at: vast)
                version = nested.versionNumber ?? .v43
                checkStructure(from: vast)
                checkVAST(nested, at: vast)
                checkURLs(from: vast)
            }
        }
    }

    private static let namespace = "http://www.iab.net/videosuite/vmap"

    private mutating func checkNamespaces(_ root: XMLTree.Index) {
        let namespaces = [tree.namespace(root)] + tree.children(root).map { tree.namespace($0) }
        if namespaces.contains(where: { $0 != Self.namespace }) {
            let found = namespaces.compactMap { $0 }.first { $0 != Self.namespace } ?? "missing on some elements"
            report(.vmapNamespace, "The namespace is \(found), not \(Self.namespace).", at: root)
        }
    }

    private func vastDocuments(in node: XMLTree.Index) -> [XMLTree.Index] {
        all(.adSource, in: node).flatMap { source in
            tree.children(source).flatMap {
                tree.element($0) == .vastAdData || tree.element($0) == .vastData ? all(.vast, in: $0) : []
            }
        }
    }

    private mutating func checkBreak(_ node: XMLTree.Index, _ entry: VMAPDocument.Break) {
        if entry.timeOffset.isEmpty {
            report(.vmapTimeoffsetMissing, "The break has no timeOffset.", at: node)
        } else if entry.offset == .invalid {
            report(.vmapTimeoffsetFormat, "The timeOffset \(entry.timeOffset) has none of the allowed forms.", at: node)
        } else if case .percent(let share) = entry.offset, share != share.rounded() {
            report(
                .vmapTimeoffsetFormat, "The timeOffset \(entry.timeOffset) is not a whole percentage.", at: node,
                severity: .warning)
        }
        checkTypes(node, entry)
        checkRepeat(node, entry)
        checkSource(node)
        for list in all(.trackingEvents, in: node) {
            for tracking in all(.tracking, in: list) {
                let event = reader.event(of: tracking) ?? ""
                guard !["breakStart", "breakEnd", "error"].contains(event) else { continue }
                report(.vmapTrackingEvent, "The event \(event) is not defined for breaks.", at: tracking)
            }
        }
    }

    /// The attribute is required (VMAP 1.0 section 2.3.1).
    private mutating func checkTypes(_ node: XMLTree.Index, _ entry: VMAPDocument.Break) {
        let known: Set<String> = ["linear", "nonlinear", "display"]
        if entry.types.isEmpty {
            report(.vmapBreaktype, "The break has no breakType.", at: node)
        } else if !known.isSuperset(of: entry.types) {
            report(.vmapBreaktype, "The breakType \(entry.types.joined(separator: ",")) is not allowed.", at: node)
        }
    }

    private mutating func checkRepeat(_ node: XMLTree.Index, _ entry: VMAPDocument.Break) {
        guard let text = tree.value(.repeatAfter, of: node) else { return }
        if entry.repeatAfterMilliseconds == nil || entry.repeatAfterMilliseconds == 0 {
            report(.vmapRepeatafter, "repeatAfter is \(text), not hh:mm:ss.", at: node)
        } else if entry.offset == .start || entry.offset == .end {
            report(.vmapRepeatafter, "repeatAfter has no effect with the timeOffset \(entry.timeOffset).", at: node)
        }
    }

    private mutating func checkSource(_ node: XMLTree.Index) {
        guard let source = tree.first(.adSource, in: node) else {
            report(.vmapAdsourceMissing, "The break has no AdSource.", at: node)
            return
        }
        checkFlags([.allowMultipleAds, .followRedirects], of: source)
        let kinds: Set<ElementName> = [.vastAdData, .vastData, .adTagURI, .customAdData]
        let contents = tree.children(source).filter { tree.element($0).map(kinds.contains) ?? false }
        if contents.isEmpty { report(.vmapAdsourceMissing, "The AdSource has neither ads nor an ad tag.", at: source) }
        if contents.count > 1 {
            report(.vmapAdsourceMany, "The AdSource has \(contents.count) sources; the first counts.", at: source)
        }
        let sources = all(.adSource, in: node).count
        if sources > 1 {
            report(.vmapAdsourceMany, "The break has \(sources) AdSource elements; the first counts.", at: node)
        }
        for content in contents { checkContent(content) }
    }

    private mutating func checkContent(_ node: XMLTree.Index) {
        switch tree.element(node) {
        case .vastData: report(.vmapVastdata, "VASTData is misspelled; write VASTAdData.", at: node)
        case .vastAdData: break
        default:
            let known = ["vast", "vast1", "vast2", "vast3", "vast4", "proprietary"]
            if let type = tree.value(.templateType, of: node), !known.contains(type) {
                report(.vmapTemplatetype, "The templateType \(type) is not a known value.", at: node)
            }
            return
        }
        if !tree.hasChildren(node) {
            report(.vmapVastaddataCDATA, "The VAST document is text; the schema requires elements.", at: node)
        }
    }

    /// Checks for breaks that follow later ones in the document, and for breaks at the same time. Percentages and
    /// positions cannot be compared with times before the content is known.
    private mutating func checkOrder(_ nodes: [XMLTree.Index], _ breaks: [VMAPDocument.Break]) {
        var latest: Int64 = .min
        var seen: Set<String> = []
        for (node, entry) in zip(nodes, breaks) {
            if let time = entry.offset.order {
                if time < latest {
                    report(.vmapTimeoffsetOrder, "The break at \(entry.timeOffset) follows a later one.", at: node)
                }
                latest = max(latest, time)
            }
            if entry.offset != .invalid, !seen.insert(entry.timeOffset).inserted {
                report(.vmapBreakOverlap, "Another break also has the timeOffset \(entry.timeOffset).", at: node)
            }
        }
    }
}

extension VMAPDocument.Offset {
    /// The sort key among breaks whose position is known; nil for the others.
    fileprivate var order: Int64? {
        switch self {
        case .start: -1
        case .milliseconds(let time): time
        case .end: .max
        case .percent, .position, .invalid: nil
        }
    }
}
