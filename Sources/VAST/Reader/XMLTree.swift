/// A parsed document: elements in document order with their texts, attributes and positions, in a few flat arrays.
///
/// The text of an element is all text below it, joined in one slice, without comments and processing instructions.
package final class XMLTree: Sendable {
    /// The number of an element in document order; the root is 0.
    package typealias Index = Int32

    struct Node {
        /// Index in `names`.
        var name: UInt32
        /// Negative for none, as are the links below.
        var parent: Int32
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        var textStart: Int32
        var textEnd: Int32 = 0
        var attributesStart: Int32
        var attributesCount: Int32
        var position: SourcePosition
        var sourceStart: Int32
        var sourceEnd: Int32 = 0
        /// Index of the namespace URI in `namespaces`; negative for none.
        var namespace: Int32
        var flags: Flags = []
    }

    struct Flags: OptionSet {
        let rawValue: UInt8
        /// Some text directly in the element is CDATA.
        static let cdata = Flags(rawValue: 1)
        /// Some text other than white space directly in the element is not CDATA.
        static let plainText = Flags(rawValue: 2)
        /// The prefix of the element or of one of its attributes is not declared.
        static let undeclaredPrefix = Flags(rawValue: 4)
    }

    struct Attribute {
        /// Index in `names`.
        var name: UInt32
        var valueStart: Int32
        var valueEnd: Int32
    }

    let nodes: [Node]
    let attributes: [Attribute]
    let names: NameTable
    let namespaces: [String]
    /// All character data in document order.
    let text: [UInt8]
    /// All attribute values in document order.
    let values: [UInt8]
    /// The document as UTF-8.
    package let source: [UInt8]

    init(
        nodes: [Node], attributes: [Attribute], names: NameTable, namespaces: [String], text: [UInt8], values: [UInt8],
        source: [UInt8]
    ) {
        self.nodes = nodes
        self.attributes = attributes
        self.names = names
        self.namespaces = namespaces
        self.text = text
        self.values = values
        self.source = source
    }

    package static let root: Index = 0
    /// The number of elements.
    package var count: Int { nodes.count }

    func element(_ node: Index) -> ElementName? { names.element(nodes[Int(node)].name) }
    /// The local name as written.
    package func name(_ node: Index) -> String { names.text(nodes[Int(node)].name) }
    package func position(_ node: Index) -> SourcePosition { nodes[Int(node)].position }
    package func namespace(_ node: Index) -> String? {
        let index = nodes[Int(node)].namespace
        return index < 0 ? nil : namespaces[Int(index)]
    }

    package func parent(_ node: Index) -> Index? {
        let parent = nodes[Int(node)].parent
        return parent < 0 ? nil : parent
    }

    package func children(_ node: Index) -> Children { Children(tree: self, following: nodes[Int(node)].firstChild) }
    package func hasChildren(_ node: Index) -> Bool { nodes[Int(node)].firstChild >= 0 }

    func first(_ name: ElementName, in node: Index) -> Index? {
        children(node).first { element($0) == name }
    }

    /// The text of the element and all its descendants, trimmed of white space.
    package func text(_ node: Index) -> String {
        let entry = nodes[Int(node)]
        return Self.trimmed(text, Int(entry.textStart), Int(entry.textEnd))
    }

    /// Nil when the text is empty.
    func nonEmptyText(_ node: Index) -> String? {
        let text = text(node)
        return text.isEmpty ? nil : text
    }

    /// Length of the text before trimming, in bytes.
    func textLength(_ node: Index) -> Int { Int(nodes[Int(node)].textEnd - nodes[Int(node)].textStart) }

    /// The value of the attribute; nil when missing or empty.
    func value(_ name: AttributeName, of node: Index) -> String? {
        let entry = nodes[Int(node)]
        for index in Int(entry.attributesStart)..<Int(entry.attributesStart + entry.attributesCount)
        where names.attribute(attributes[index].name) == name {
            let attribute = attributes[index]
            return attribute.valueStart == attribute.valueEnd ? nil : value(attribute)
        }
        return nil
    }

    func value(_ attribute: Attribute) -> String {
        values.withUnsafeBufferPointer {
            String(decoding: $0[Int(attribute.valueStart)..<Int(attribute.valueEnd)], as: UTF8.self)
        }
    }

    /// The value of the attribute with that local name as written; nil when missing or empty.
    package func attribute(_ name: String, of node: Index) -> String? {
        let text = attributes(of: node).first { names.text($0.name) == name }.map { value($0) }
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    func attributes(of node: Index) -> ArraySlice<Attribute> {
        let entry = nodes[Int(node)]
        return attributes[Int(entry.attributesStart)..<Int(entry.attributesStart + entry.attributesCount)]
    }

    /// The element as written in the document, tags included.
    package func rawXML(_ node: Index) -> String {
        let entry = nodes[Int(node)]
        return source.withUnsafeBufferPointer {
            String(decoding: $0[Int(entry.sourceStart)..<Int(max(entry.sourceStart, entry.sourceEnd))], as: UTF8.self)
        }
    }

    private static func trimmed(_ bytes: [UInt8], _ from: Int, _ to: Int) -> String {
        bytes.withUnsafeBufferPointer { buffer in
            var (start, end) = (from, to)
            while start < end, buffer[start].isXMLSpace { start += 1 }
            while end > start, buffer[end - 1].isXMLSpace { end -= 1 }
            return String(decoding: buffer[start..<end], as: UTF8.self)
        }
    }
}

extension XMLTree {
    /// The child elements of an element, in order.
    package struct Children: Sequence, IteratorProtocol {
        fileprivate let tree: XMLTree
        private var following: Index

        fileprivate init(tree: XMLTree, following: Index) {
            self.tree = tree
            self.following = following
        }

        package mutating func next() -> Index? {
            guard following >= 0 else { return nil }
            defer { following = tree.nodes[Int(following)].nextSibling }
            return following
        }
    }
}
