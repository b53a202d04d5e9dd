extension Linter {
    /// Checks names, lengths and characters of all elements, known or not.
    mutating func checkTexts() {
        for index in tree.nodes.indices {
            let node = XMLTree.Index(index)
            let entry = tree.nodes[index]
            if entry.flags.contains(.undeclaredPrefix) {
                report(.undeclaredPrefix, "A namespace prefix on <\(tree.name(node))> is not declared.", at: node)
            }
            checkCase(of: entry, node)
            checkValues(of: node)
            if !tree.hasChildren(node) { checkText(of: node) }
        }
    }

    private mutating func checkCase(of entry: XMLTree.Node, _ node: XMLTree.Index) {
        let name = tree.names.entry(entry.name)
        if let known = name.element, !name.isExact {
            report(.nameCase, "<\(name.text)> must be spelled <\(known.rawValue)>.", at: node)
        }
        guard name.element != nil else { return }
        for attribute in tree.attributes(of: node) {
            let name = tree.names.entry(attribute.name)
            if let known = name.attribute, !name.isExact {
                report(.nameCase, "The attribute \(name.text) must be spelled \(known.rawValue).", at: node)
            }
        }
        guard tree.element(node) == .tracking, let event = tree.value(.event, of: node) else { return }
        let spelling = EventName.spelling(of: event)
        if spelling != event { report(.nameCase, "The event \(event) must be spelled \(spelling).", at: node) }
    }

    private mutating func checkValues(of node: XMLTree.Index) {
        for attribute in tree.attributes(of: node) {
            let length = Int(attribute.valueEnd - attribute.valueStart)
            if length >= XMLLimits.longValueBytes {
                report(
                    .valueTooLong, "The attribute \(tree.names.text(attribute.name)) has \(length) bytes.", at: node)
            }
            if Self.hasHiddenCharacter(tree.values[Int(attribute.valueStart)..<Int(attribute.valueEnd)]) {
                report(
                    .controlCharacters,
                    "The attribute \(tree.names.text(attribute.name)) has invisible control or direction characters.",
                    at: node)
            }
        }
    }

    private mutating func checkText(of node: XMLTree.Index) {
        let length = tree.textLength(node)
        if length >= XMLLimits.longValueBytes {
            report(.valueTooLong, "The text of <\(tree.name(node))> has \(length) bytes.", at: node)
        }
        let entry = tree.nodes[Int(node)]
        guard Self.hasHiddenCharacter(tree.text[Int(entry.textStart)..<Int(entry.textEnd)]) else { return }
        report(
            .controlCharacters,
            "The text of <\(tree.name(node))> has invisible control or direction characters.", at: node)
    }

    /// Finds C1 controls and characters that change the reading direction; in UTF-8 all of them start with C2 or E2.
    private static func hasHiddenCharacter(_ bytes: ArraySlice<UInt8>) -> Bool {
        // Nearly all texts are ASCII; a pass that stops nowhere looks at many bytes at a time.
        let highest = bytes.withUnsafeBufferPointer { $0.reduce(0, |) }
        guard highest >= 0x80 else { return false }
        var previous: UInt8 = 0
        var before: UInt8 = 0
        for byte in bytes {
            if previous == 0xC2, (0x80...0x9F).contains(byte) { return true }
            if before == 0xE2, previous == 0x80, (0x8B...0x8F).contains(byte) || (0xAA...0xAE).contains(byte) {
                return true
            }
            if before == 0xE2, previous == 0x81, (0xA6...0xA9).contains(byte) { return true }
            (before, previous) = (previous, byte)
        }
        return false
    }
}
