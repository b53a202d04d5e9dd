extension Linter {
    /// Checks for unknown, misplaced, repeated and too new elements and attributes.
    mutating func checkStructure(from root: XMLTree.Index) {
        usesNewerVersion = false
        var open = [root]
        while let node = open.popLast() {
            guard let name = tree.element(node) else { continue }
            if StructureTable.opaque.contains(name) {
                checkOpaque(node, name)
                continue
            }
            let table = StructureTable.byElement[name] ?? StructureTable(children: [], attributes: [])
            checkAttributes(of: node, against: table)
            checkChildren(of: node, against: table)
            open += tree.children(node)
        }
    }

    private mutating func checkAttributes(of node: XMLTree.Index, against table: StructureTable) {
        for attribute in tree.attributes(of: node) {
            guard let name = tree.names.attribute(attribute.name),
                let entry = table.attributes.first(where: { $0.name == name })
            else {
                // Schema hints belong to XML, not to VAST.
                guard tree.names.attribute(attribute.name) != .noNamespaceSchemaLocation,
                    tree.names.attribute(attribute.name) != .schemaLocation
                else { continue }
                let text = tree.names.text(attribute.name)
                report(.unknownAttribute, "<\(tree.name(node))> has no attribute \(text) in any version.", at: node)
                continue
            }
            if entry.since > version {
                usesNewerVersion = true
                let message = "The attribute \(name.rawValue) of <\(tree.name(node))> was added in \(entry.since.text)."
                report(.elementNotInVersion, message, at: node)
            }
        }
    }

    private mutating func checkChildren(of node: XMLTree.Index, against table: StructureTable) {
        var seen: Set<ElementName> = []
        for child in tree.children(node) {
            guard let name = tree.element(child), let entry = table.children.first(where: { $0.name == name }) else {
                report(
                    .unknownElement, "<\(tree.name(child))> is not allowed in <\(tree.name(node))> in any version.",
                    at: child)
                continue
            }
            if !entry.isIn(version) {
                usesNewerVersion = usesNewerVersion || entry.since > version
                let limit =
                    entry.since > version ? "was added in \(entry.since.text)" : "was removed after \(entry.until.text)"
                report(.elementNotInVersion, "<\(name.rawValue)> in <\(tree.name(node))> \(limit).", at: child)
            }
            if entry.isSingle, !seen.insert(name).inserted {
                report(.duplicateElement, "<\(name.rawValue)> is repeated; the first one counts.", at: child)
            }
        }
    }

    private mutating func checkOpaque(_ node: XMLTree.Index, _ name: ElementName) {
        switch name {
        case .extension, .creativeExtension:
            for child in tree.children(node) {
                guard let inner = tree.element(child), Self.misplaced.contains(inner) else { continue }
                report(
                    .extensionMisplacedElement, "<\(inner.rawValue)> inside an extension is ignored.",
                    at: child)
            }
        case .htmlResource:
            guard tree.hasChildren(node) else { return }
            report(
                .htmlResourceNotCDATA, "HTMLResource contains elements; players expect its markup as text.", at: node)
        default: break
        }
    }

    /// Names that belong to an ad, except those that old versions carry in extensions (VAST-4) and common words.
    private static let misplaced: Set<ElementName> = [
        .ad, .inLine, .wrapper, .adTitle, .impression, .creatives, .creative, .linear, .mediaFiles, .mediaFile,
        .trackingEvents, .tracking, .videoClicks, .clickThrough, .clickTracking, .companionAds, .nonLinearAds,
        .viewableImpression, .vastAdTagURI, .adSystem, .pricing,
    ]
}

extension VASTVersion {
    /// The version for messages: `VAST 4.1`.
    package var text: String { "VAST \(major).\(minor)" }
}
