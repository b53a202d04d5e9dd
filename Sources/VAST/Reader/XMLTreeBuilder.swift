import CLibXML2

/// Builds the tree from libxml2's events.
struct XMLTreeBuilder {
    private(set) var nodes: [XMLTree.Node] = []
    private var attributes: [XMLTree.Attribute] = []
    private var names = NameTable()
    private var numbers = PointerNumbers()
    private var namespaces: [String] = []
    private var namespaceIndices: [String: Int32] = [:]
    private var text: [UInt8] = []
    private var values: [UInt8] = []
    private var open: [Frame] = []
    private var namespacesInScope = 0
    /// The limit that stopped parsing.
    private(set) var limit: XMLProblem.Limit?

    private struct Frame {
        var node: Int32
        var lastChild: Int32 = -1
        var declarations: Int32
    }

    init(expectedBytes: Int) {
        nodes.reserveCapacity(expectedBytes / 160)
        attributes.reserveCapacity(expectedBytes / 120)
        text.reserveCapacity(expectedBytes)
        values.reserveCapacity(expectedBytes / 8)
    }

    /// Whether the root element was closed.
    var isComplete: Bool { !nodes.isEmpty && open.isEmpty }

    /// Name of the innermost open element.
    var innermostOpenName: String? { open.last.map { names.text(nodes[Int($0.node)].name) } }

    func tree(source: [UInt8]) -> XMLTree {
        XMLTree(
            nodes: nodes, attributes: attributes, names: names, namespaces: namespaces, text: text, values: values,
            source: source)
    }

    /// Returns false when a limit is reached.
    mutating func start(
        name: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, uri: UnsafePointer<xmlChar>?,
        declarations: Int32,
        attributes list: UnsafeBufferPointer<xml_reader_attribute>, position: xml_reader_position
    ) -> Bool {
        namespacesInScope += Int(declarations)
        guard isWithinLimits(attributes: list.count) else { return false }
        let index = Int32(nodes.count)
        var node = XMLTree.Node(
            name: elementNumber(name), parent: open.last?.node ?? -1, textStart: Int32(text.count),
            attributesStart: Int32(attributes.count), attributesCount: Int32(list.count),
            position: SourcePosition(line: position.line, column: position.column), sourceStart: position.offset,
            namespace: namespaceIndex(uri))
        if prefix != nil, uri == nil { node.flags.insert(.undeclaredPrefix) }
        for attribute in list {
            if attribute.prefix != nil, attribute.uri == nil { node.flags.insert(.undeclaredPrefix) }
            append(attribute)
        }
        link(index)
        nodes.append(node)
        open.append(Frame(node: index, declarations: declarations))
        return true
    }

    mutating func end(at offset: Int32) {
        guard let frame = open.popLast() else { return }
        namespacesInScope -= Int(frame.declarations)
        nodes[Int(frame.node)].textEnd = Int32(text.count)
        nodes[Int(frame.node)].sourceEnd = offset
    }

    mutating func append(text bytes: UnsafeBufferPointer<UInt8>, isCDATA: Bool) {
        guard let frame = open.last else { return }
        text.append(contentsOf: bytes)
        if isCDATA {
            nodes[Int(frame.node)].flags.insert(.cdata)
        } else if !nodes[Int(frame.node)].flags.contains(.plainText), !bytes.allSatisfy(\.isXMLSpace) {
            nodes[Int(frame.node)].flags.insert(.plainText)
        }
    }

    private mutating func isWithinLimits(attributes: Int) -> Bool {
        if open.count >= XMLLimits.depth {
            limit = .depth
        } else if nodes.count >= XMLLimits.elements {
            limit = .elements
        } else if attributes > XMLLimits.attributesPerElement {
            limit = .attributes
        } else if namespacesInScope > XMLLimits.namespacesInScope {
            limit = .namespaces
        }
        return limit == nil
    }

    private mutating func link(_ index: Int32) {
        guard let last = open.indices.last else { return }
        if open[last].lastChild >= 0 {
            nodes[Int(open[last].lastChild)].nextSibling = index
        } else {
            nodes[Int(open[last].node)].firstChild = index
        }
        open[last].lastChild = index
    }

    private mutating func append(_ attribute: xml_reader_attribute) {
        let start = Int32(values.count)
        if let value = attribute.value, let end = attribute.end {
            append(value: UnsafeBufferPointer(start: value, count: end - value))
        }
        attributes.append(
            XMLTree.Attribute(
                name: attributeNumber(attribute.name), valueStart: start, valueEnd: Int32(values.count)))
    }

    /// When it does not replace entities itself, libxml2 passes each ampersand of a value as `&#38;`, for the second
    /// pass of its own tree builder; everything else is decoded.
    private mutating func append(value: UnsafeBufferPointer<UInt8>) {
        let escape: StaticString = "&#38;"
        let tail = escape.utf8CodeUnitCount - 1
        var index = 0
        while let ampersand = value[index...].firstIndex(of: UInt8(ascii: "&")) {
            values.append(contentsOf: value[index...ampersand])
            let isEscape =
                value.count - ampersand > tail
                && (1...tail).allSatisfy { value[ampersand + $0] == escape.utf8Start[$0] }
            index = ampersand + 1 + (isEscape ? tail : 0)
        }
        values.append(contentsOf: value[index...])
    }

    // libxml2 keeps one copy of every name while it parses, so the address identifies the name. Elements and attributes
    // share the copy; bit 0 distinguishes them.
    private mutating func elementNumber(_ name: UnsafePointer<xmlChar>) -> UInt32 {
        let key = UInt(bitPattern: name) << 1
        if let number = numbers[key] { return number }
        let number = names.number(elementNamed: UnsafeBufferPointer(start: name, count: Self.length(name)))
        numbers[key] = number
        return number
    }

    private mutating func attributeNumber(_ name: UnsafePointer<xmlChar>?) -> UInt32 {
        guard let name else { return 0 }
        let key = UInt(bitPattern: name) << 1 | 1
        if let number = numbers[key] { return number }
        let number = names.number(attributeNamed: UnsafeBufferPointer(start: name, count: Self.length(name)))
        numbers[key] = number
        return number
    }

    private mutating func namespaceIndex(_ uri: UnsafePointer<xmlChar>?) -> Int32 {
        guard let uri else { return -1 }
        let text = String(decoding: UnsafeBufferPointer(start: uri, count: Self.length(uri)), as: UTF8.self)
        if namespaces.last == text { return Int32(namespaces.count - 1) }
        if let known = namespaceIndices[text] { return known }
        let index = Int32(namespaces.count)
        namespaces.append(text)
        namespaceIndices[text] = index
        return index
    }

    private static func length(_ text: UnsafePointer<xmlChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }
}

/// Numbers by address, sized for the few hundred names of a document; more names only make parsing slower.
private struct PointerNumbers {
    private var keys = [UInt](repeating: 0, count: Self.size)
    private var numbers = [UInt32](repeating: 0, count: Self.size)

    private static let size = 512

    subscript(key: UInt) -> UInt32? {
        get {
            let slot = Self.slot(key)
            return keys[slot] == key ? numbers[slot] : nil
        }
        set {
            let slot = Self.slot(key)
            keys[slot] = key
            numbers[slot] = newValue ?? 0
        }
    }

    private static func slot(_ key: UInt) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 55)
    }
}
