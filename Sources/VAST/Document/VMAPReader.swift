extension DocumentReader {
    /// Reads VMAP 1.0 (VMAP-1). `readText` reads a document that an element of this one contains as text.
    func vmap(at root: XMLTree.Index, readText: (String, XMLTree.Index) -> VASTDocument?) -> VMAPDocument {
        VMAPDocument(
            root: tree.name(root), namespace: tree.namespace(root), version: tree.value(.version, of: root),
            breaks: tree.children(root).compactMap {
                tree.element($0) == .adBreak ? adBreak($0, readText: readText) : nil
            },
            position: tree.position(root))
    }

    private func adBreak(_ node: XMLTree.Index, readText: (String, XMLTree.Index) -> VASTDocument?)
        -> VMAPDocument.Break
    {
        let offset = tree.value(.timeOffset, of: node) ?? ""
        let types = (tree.value(.breakType, of: node) ?? "").split(separator: ",").map { type in
            String(type.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        var entry = VMAPDocument.Break(
            id: tree.value(.breakId, of: node), timeOffset: offset, offset: VMAPDocument.Offset(offset), types: types,
            repeatAfterMilliseconds: tree.value(.repeatAfter, of: node).flatMap(ValueReader.strictMilliseconds),
            position: tree.position(node))
        for child in tree.children(node) {
            switch tree.element(child) {
            case .adSource where entry.source == nil: entry.source = source(child, readText: readText)
            case .trackingEvents: entry.tracking += trackings(child)
            case .extensions: entry.extensions += extensions(child, .extension)
            default: break
            }
        }
        return entry
    }

    private func source(_ node: XMLTree.Index, readText: (String, XMLTree.Index) -> VASTDocument?)
        -> VMAPDocument.Source
    {
        var content = VMAPDocument.Source.Content.missing
        search: for child in tree.children(node) {
            switch tree.element(child) {
            case .vastAdData, .vastData:
                content = embeddedVAST(child, readText: readText)
                break search
            case .adTagURI:
                content = .tag(link(child), templateType: tree.value(.templateType, of: child))
                break search
            case .customAdData:
                content = .custom(tree.text(child), templateType: tree.value(.templateType, of: child))
                break search
            default: break
            }
        }
        return VMAPDocument.Source(
            id: tree.value(.id, of: node), allowMultipleAds: bool(.allowMultipleAds, of: node),
            followRedirects: bool(.followRedirects, of: node), content: content, position: tree.position(node))
    }

    private func embeddedVAST(
        _ node: XMLTree.Index, readText: (String, XMLTree.Index) -> VASTDocument?
    ) -> VMAPDocument.Source.Content {
        if let root = tree.first(.vast, in: node) { return .vast(vast(at: root), isText: false) }
        // The schema requires elements; some servers write text (VMAP-1).
        if !tree.hasChildren(node), let document = tree.nonEmptyText(node).flatMap({ readText($0, node) }) {
            return .vast(document, isText: true)
        }
        return .missing
    }
}
