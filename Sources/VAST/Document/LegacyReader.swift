extension DocumentReader {
    /// VAST 1.0: recognised and rejected; an extract identifies the document (VAST-7).
    func legacyVAST(at root: XMLTree.Index) -> VASTDocument {
        VASTDocument(
            root: tree.name(root), namespace: tree.namespace(root), version: "1.0",
            legacyAds: tree.children(root).compactMap { tree.element($0) == .ad ? legacyAd($0) : nil },
            position: tree.position(root))
    }

    private func legacyAd(_ node: XMLTree.Index) -> VASTDocument.LegacyAd? {
        let body = tree.children(node).first { tree.element($0) == .inLine || tree.element($0) == .wrapper }
        guard let body else { return nil }
        var ad = VASTDocument.LegacyAd(
            id: tree.value(.id, of: node), isWrapper: tree.element(body) == .wrapper, position: tree.position(node))
        for child in tree.children(body) { read(child, into: &ad) }
        return ad
    }

    private func read(_ node: XMLTree.Index, into ad: inout VASTDocument.LegacyAd) {
        switch tree.element(node) {
        case .adSystem: ad.system = tree.text(node)
        case .adTitle: ad.title = tree.text(node)
        case .impression: ad.impressions += urls(node)
        case .trackingEvents:
            for child in tree.children(node) where tree.element(child) == .tracking {
                ad.trackingEvents.append(tree.value(.event, of: child) ?? "")
            }
        case .video:
            if let duration = tree.first(.duration, in: node) {
                ad.durations.append(ValueReader.milliseconds(tree.text(duration)))
            }
            guard let files = tree.first(.mediaFiles, in: node) else { return }
            for file in tree.children(files) where tree.element(file) == .mediaFile { ad.mediaFiles += urls(file) }
        case .companionAds: ad.companions += tree.children(node).count { tree.element($0) == .companion }
        case .nonLinearAds: ad.nonLinears += tree.children(node).count { tree.element($0) == .nonLinear }
        default: break
        }
    }

    private func urls(_ node: XMLTree.Index) -> [Link] {
        tree.children(node).compactMap { tree.element($0) == .url ? presentLink($0) : nil }
    }
}
