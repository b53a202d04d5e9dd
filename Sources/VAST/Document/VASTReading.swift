/// What reading some bytes as VAST or VMAP came to: the verdict of a strict reader, and whatever can be shown.
package struct VASTReading: Sendable {
    /// The verdict; raw values are those of the JSON.
    package enum Outcome: String, Hashable, Sendable {
        case ok
        case noAds = "no_ads"
        case unsupportedVersion = "unsupported_version"
        case notVAST = "not_vast"
        case xmlError = "xml_error"
        case schemaError = "schema_error"
        /// Refused for safety.
        case rejected
    }

    package enum Content: Hashable, Sendable {
        case vast(VASTDocument)
        case vmap(VMAPDocument)
    }

    package let outcome: Outcome
    /// The VAST error a player would report (VAST 4.3 section 2.3.6.3); nil where it would report none.
    package let errorCode: Int?
    /// Nil when there is nothing to show. For an outcome that is an error it is what a lenient reader gets.
    package let content: Content?
    /// The XML underneath, with the places of everything.
    package let xml: XMLReading
    /// The readings of documents written as text inside this one.
    package let embedded: [Embedded]

    /// A document inside a document.
    package struct Embedded: Sendable {
        package let reading: VASTReading
        /// The element that holds it.
        package let holder: XMLTree.Index
    }

    package var vast: VASTDocument? {
        if case .vast(let document) = content { document } else { nil }
    }

    package var vmap: VMAPDocument? {
        if case .vmap(let document) = content { document } else { nil }
    }

    /// A strict reader takes it.
    package var isGood: Bool { outcome == .ok || outcome == .noAds }
}

/// Reads VAST and VMAP documents. Never throws: bad input is what people came to see.
package enum VASTReader {
    package static func read(_ bytes: [UInt8]) -> VASTReading {
        read(bytes, depth: 0)
    }

    private static func read(_ bytes: [UInt8], depth: Int) -> VASTReading {
        let xml = XMLReader.read(bytes)
        guard let tree = xml.tree else {
            return VASTReading(outcome: outcome(of: xml), errorCode: 100, content: nil, xml: xml, embedded: [])
        }
        let reader = DocumentReader(tree: tree)
        var embedded: [VASTReading.Embedded] = []
        let (verdict, code, content) = judge(reader, depth: depth, embedded: &embedded)
        guard xml.problem == nil else {
            return VASTReading(
                outcome: outcome(of: xml), errorCode: 100, content: content, xml: xml, embedded: embedded)
        }
        return VASTReading(outcome: verdict, errorCode: code, content: content, xml: xml, embedded: embedded)
    }

    private static func outcome(of xml: XMLReading) -> VASTReading.Outcome {
        switch xml.problem?.kind {
        case .entities, .limit: .rejected
        default: .xmlError
        }
    }

    private static func judge(
        _ reader: DocumentReader, depth: Int, embedded: inout [VASTReading.Embedded]
    ) -> (VASTReading.Outcome, Int?, VASTReading.Content?) {
        let tree = reader.tree
        let root = XMLTree.root
        let isExact = tree.names.entry(tree.nodes[0].name).isExact
        switch tree.element(root) {
        case .vast:
            let document = reader.vast(at: root)
            if !isExact { return (.notVAST, 101, .vast(document)) }
            let (outcome, code) = verdict(on: document, tree)
            return (outcome, code, .vast(document))
        case .vmap:
            var found: [VASTReading.Embedded] = []
            let document = reader.vmap(at: root) { text, holder in
                guard depth < XMLLimits.nestedDocuments else { return nil }
                let reading = read(Array(text.utf8), depth: depth + 1)
                found.append(VASTReading.Embedded(reading: reading, holder: holder))
                return reading.vast
            }
            embedded = found
            if !isExact { return (.notVAST, 101, .vmap(document)) }
            return (document.breaks.isEmpty ? .noAds : .ok, nil, .vmap(document))
        case .videoAdServingTemplate:
            return (.unsupportedVersion, 102, .vast(reader.legacyVAST(at: root)))
        case .daast:
            return (.unsupportedVersion, 102, nil)
        default:
            return (.notVAST, 101, nil)
        }
    }

    /// A strict reader finds an ad only in an InLine or Wrapper of that very spelling.
    private static func verdict(on document: VASTDocument, _ tree: XMLTree) -> (VASTReading.Outcome, Int?) {
        let ads = tree.children(XMLTree.root).filter { tree.element($0) == .ad }
        guard !ads.isEmpty else {
            // A code is reported where somebody asks for one.
            let isAsked = document.errors.contains { $0.url.contains("[ERRORCODE]") }
            return (.noAds, isAsked ? 303 : nil)
        }
        let hasUsable = ads.contains { ad in
            tree.children(ad).contains { body in
                let name = tree.element(body)
                return (name == .inLine || name == .wrapper) && tree.names.entry(tree.nodes[Int(body)].name).isExact
            }
        }
        return hasUsable ? (.ok, nil) : (.schemaError, 101)
    }
}
