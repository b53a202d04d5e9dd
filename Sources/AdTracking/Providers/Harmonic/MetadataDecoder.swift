import Ports

/// Reads the documents of one session. Successive documents are mostly equal: a break whose bytes did not change is not
/// read again.
///
/// The result for a text does not depend on the texts read before it.
package struct MetadataDecoder: Sendable {
    /// The result of reading one element of `adBreaks`.
    private struct Node: Sendable {
        /// Nil when the break cannot be placed in time.
        var adBreak: AdBreak?
        /// Findings with paths relative to the element.
        var findings: [Finding]
        /// Number of findings that were dropped because of the limit.
        var dropped: Int
        /// Whether the result may change when the data range ends elsewhere.
        var dependsOnEdge: Bool

        init(_ object: JSONObject, growingAt edge: UnixTime?) {
            var reader = NodeReader()
            adBreak = reader.adBreak(object, growingAt: edge)
            (findings, dropped, dependsOnEdge) = (reader.findings, reader.dropped, reader.dependsOnEdge)
        }
    }

    private var text = JSONSplit.Text.none
    /// Results for the elements of `text`; nil for elements that are not objects.
    private var nodes: [Node?] = []
    /// The newest text and what it holds.
    private var newest: (bytes: [UInt8], document: DecodedMetadata)?

    /// Whether the newest text names a list of breaks or a data range, whatever they are: any other object is read, too, as one in which both
    /// are missing.
    package private(set) var isMetadata = false

    package init() {}

    /// Throws only when there is nothing to show.
    package mutating func decode(_ bytes: [UInt8]) throws(MetadataProblem) -> DecodedMetadata {
        if let newest, newest.bytes.hasSameBytes(as: bytes) { return newest.document }
        try MetadataProblem.check(bytes)
        var split = JSONSplit(arrayNamed: "adBreaks", after: text)
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes, splitting: &split)
        } catch {
            throw .rejected(bytes, error)
        }
        guard case .object(let root) = value else { throw .noObject(value) }
        let document = read(root, split.elements)
        text = split.text(bytes) { nodes[$0].map { !$0.dependsOnEdge } ?? false }
        newest = (bytes, document)
        return document
    }

    private mutating func read(_ root: JSONObject, _ elements: [JSONSplit.Element]?) -> DecodedMetadata {
        var reader = NodeReader()
        var rangeValue: JSONValue?
        var breaksValue: JSONValue?
        var ignored = JSONObject()
        for member in root.members {
            switch member.name {
            case "dataRange": rangeValue = member.value
            case "adBreaks": breaksValue = member.value
            default: reader.keep(member, in: &ignored, known: MetadataNames.root)
            }
        }
        let range = reader.dataRange(rangeValue)
        // The array itself was removed from the text.
        if elements == nil { _ = reader.objects(breaksValue, "adBreaks") }
        isMetadata = elements != nil || rangeValue != nil || breaksValue != nil
        let breaks = breaks(elements ?? [], growingAt: range?.end, &reader)
        var findings = reader.findings
        if reader.dropped > 0 {
            findings.append(
                LintRule.wrongType.finding("\(reader.dropped) more problems in this document are not listed"))
        }
        return DecodedMetadata(dataRange: range, breaks: breaks, findings: findings)
    }

    private mutating func breaks(
        _ elements: [JSONSplit.Element], growingAt edge: UnixTime?, _ reader: inout NodeReader
    ) -> [AdBreak] {
        var nodes: [Node?] = []
        nodes.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            switch element {
            case .known(let number): nodes.append(self.nodes[number])
            case .new(.object(let object)): nodes.append(Node(object, growingAt: edge))
            case .new(let value):
                nodes.append(nil)
                reader.inside("adBreaks", index) { $0.reportNoObject(value) }
            }
        }
        self.nodes = nodes
        var breaks: [AdBreak] = []
        breaks.reserveCapacity(nodes.count)
        var names: Set<String> = []
        for (index, node) in nodes.enumerated() {
            guard let node else { continue }
            reader.take(node.findings, dropped: node.dropped, of: "adBreaks", index)
            guard let adBreak = node.adBreak else { continue }
            if let name = adBreak.name, !names.insert(name).inserted {
                reader.inside("adBreaks", index) {
                    $0.report(.identifier, "a second break has the id '\(name)'", at: "id")
                }
            }
            breaks.append(adBreak)
        }
        return breaks.sortedStably { $0.start < $1.start }
    }
}
