/// The original text of members and elements in a well-formed JSON document.
///
/// Prebid Cache stores values as written; parsing and writing a value would lose white space, and digits of large
/// numbers.
enum JSONSlices {
    /// The texts of the elements of the array `name` in the object `document`.
    static func elements(ofMember name: String, in document: [UInt8]) -> [ArraySlice<UInt8>] {
        guard let list = member(name, of: document[...]) else { return [] }
        var scan = Scan(list)
        var elements: [ArraySlice<UInt8>] = []
        guard scan.take(UInt8(ascii: "[")) else { return [] }
        while !scan.take(UInt8(ascii: "]")) {
            guard let element = scan.value() else { return elements }
            elements.append(element)
            _ = scan.take(UInt8(ascii: ","))
        }
        return elements
    }

    /// The text of the member's value; when the name repeats, the last one, as in ``JSONValue``.
    static func member(_ name: String, of object: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var scan = Scan(object)
        scan.skipByteOrderMark()
        guard scan.take(UInt8(ascii: "{")) else { return nil }
        var found: ArraySlice<UInt8>?
        while !scan.take(UInt8(ascii: "}")) {
            guard let key = scan.value(), scan.take(UInt8(ascii: ":")), let value = scan.value() else { return found }
            if key.dropFirst().dropLast().elementsEqual(name.utf8) { found = value }
            _ = scan.take(UInt8(ascii: ","))
        }
        return found
    }

    private struct Scan {
        private let bytes: ArraySlice<UInt8>
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
            rest = bytes
        }

        mutating func skipByteOrderMark() {
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        }

        /// Consumes `byte` and the white space before it, and returns whether it was there. At the end of the text it
        /// returns true for a closing bracket, so that every loop ends.
        mutating func take(_ byte: UInt8) -> Bool {
            skipBlanks()
            guard let first = rest.first else { return byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") }
            guard first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// Consumes the next value and returns its text; nil at the end.
        mutating func value() -> ArraySlice<UInt8>? {
            skipBlanks()
            let start = rest.startIndex
            var depth = 0
            while let byte = rest.first {
                switch byte {
                case UInt8(ascii: "\""):
                    skipString()
                    if depth == 0 { return text(from: start) }
                    continue
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if depth == 0 { return start < rest.startIndex ? text(from: start) : nil }
                    depth -= 1
                    if depth == 0 {
                        rest = rest.dropFirst()
                        return text(from: start)
                    }
                case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                    if depth == 0 { return text(from: start) }
                default: break
                }
                rest = rest.dropFirst()
            }
            return start < rest.startIndex ? text(from: start) : nil
        }

        private func text(from start: Int) -> ArraySlice<UInt8> { bytes[start..<rest.startIndex] }

        private mutating func skipString() {
            rest = rest.dropFirst()
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\"") { return }
                if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
            }
        }

        private mutating func skipBlanks() {
            while let byte = rest.first, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                rest = rest.dropFirst()
            }
        }
    }
}
