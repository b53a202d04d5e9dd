/// The result of reading bytes as VAST or VMAP: the verdict of a strict reader, and the content that can be shown.
package struct VASTReading: Sendable {
    /// The verdict; raw values are those of the JSON.
    package enum Outcome: String, Hashable, Sendable {
        case ok
        case noAds = "no_ads"
        case unsupportedVersion = "unsupported_version"
        case notVAST = "not_vast"
        case xmlError = "xml_error"
        case schemaError = "schema_error"
        /// Rejected for safety.
        case rejected
    }

    package enum Content: Hashable, Sendable {
        case vast(VASTDocument)
        case vmap(VMAPDocument)
    }

    package let outcome: Outcome
    /// The VAST error that a player would report (VAST 4.3 section 2.3.6.3); nil when it would report none.
    package let errorCode: Int?
    /// Nil when there is nothing to show. For an error outcome it is the result of a lenient reader.
    package let content: Content?
    /// The underlying XML with source positions.
    package let xml: XMLReading
    /// The readings of documents that this one contains as text.
    package let embedded: [Embedded]

    /// A document inside another document.
    package struct Embedded: Sendable {
        package let reading: VASTReading
        /// The element that contains it.
        package let holder: XMLTree.Index
    }

    package var vast: VASTDocument? {
        if case .vast(let document) = content { document } else { nil }
    }

    package var vmap: VMAPDocument? {
        if case .vmap(let document) = content { document } else { nil }
    }

    /// Whether a strict reader accepts it.
    package var isGood: Bool { outcome == .ok || outcome == .noAds }
}

/// Reads VAST and VMAP documents. Never throws, because invalid input is a result to show.
package enum VASTReader {
    /// - Parameter charset: encoding that the transport names.
    package static func read(_ bytes: [UInt8], charset: String? = nil) -> VASTReading {
        read(bytes, charset: charset, depth: 0)
    }

    private static func read(_ bytes: [UInt8], charset: String?, depth: Int) -> VASTReading {
        let xml = XMLReader.read(bytes, charset: charset)
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
                let reading = read(Array(text.utf8), charset: nil, depth: depth + 1)
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

    /// A strict reader accepts an ad only in an InLine or Wrapper with exactly that spelling.
    private static func verdict(on document: VASTDocument, _ tree: XMLTree) -> (VASTReading.Outcome, Int?) {
        let ads = tree.children(XMLTree.root).filter { tree.element($0) == .ad }
        guard !ads.isEmpty else {
            // A code is reported only if an error URL requests one.
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
