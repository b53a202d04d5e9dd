/// Finds members and elements in the JSON of a request without converting them: the origin keeps values as they were
/// written. Text that is not JSON gives nil.
struct JSONScan {
    private let bytes: [UInt8]
    private var index = 0
    /// Deepest nesting that is followed.
    private static let maximumDepth = 32

    private init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// The members of the object that is the whole text.
    static func members(of text: ArraySlice<UInt8>) -> [(name: String, value: ArraySlice<UInt8>)]? {
        var scan = JSONScan(text)
        var members: [(name: String, value: ArraySlice<UInt8>)] = []
        guard scan.take("{") else { return nil }
        if scan.take("}") { return scan.isAtEnd ? members : nil }
        repeat {
            guard let name = scan.value(depth: 1), let text = string(name), scan.take(":"),
                let value = scan.value(depth: 1)
            else { return nil }
            members.append((text, value))
        } while scan.take(",")
        return scan.take("}") && scan.isAtEnd ? members : nil
    }

    /// The elements of the array that is the whole text.
    static func elements(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        var scan = JSONScan(text)
        var elements: [ArraySlice<UInt8>] = []
        guard scan.take("[") else { return nil }
        if scan.take("]") { return scan.isAtEnd ? elements : nil }
        repeat {
            guard let value = scan.value(depth: 1) else { return nil }
            elements.append(value)
        } while scan.take(",")
        return scan.take("]") && scan.isAtEnd ? elements : nil
    }

    /// The characters of a string.
    static func string(_ text: ArraySlice<UInt8>) -> String? {
        guard text.count >= 2, text.first == UInt8(ascii: "\"") else { return nil }
        var output = String.UnicodeScalarView()
        var rest = String(decoding: text.dropFirst().dropLast(), as: UTF8.self).unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                output.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "n": output.append("\n")
            case "t": output.append("\t")
            case "r": output.append("\r")
            case "b": output.append("\u{8}")
            case "f": output.append("\u{C}")
            case "u":
                let digits = String(String.UnicodeScalarView(rest.prefix(4)))
                rest = rest.dropFirst(4)
                output.append(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
            case let escaped?: output.append(escaped)
            case nil: return nil
            }
        }
        return String(output)
    }

    private var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return index == bytes.count
        }
    }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    /// The text of one value.
    private mutating func value(depth: Int) -> ArraySlice<UInt8>? {
        skipBlanks()
        guard depth < Self.maximumDepth, index < bytes.count else { return nil }
        let start = index
        switch bytes[index] {
        case UInt8(ascii: "\""): guard skipString() else { return nil }
        case UInt8(ascii: "{"): guard skipList(closing: "}", hasNames: true, depth: depth) else { return nil }
        case UInt8(ascii: "["): guard skipList(closing: "]", hasNames: false, depth: depth) else { return nil }
        default:
            while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
            guard index > start else { return nil }
        }
        return bytes[start..<index]
    }

    private mutating func skipString() -> Bool {
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return index <= bytes.count }
        }
        return false
    }

    private mutating func skipList(closing: Unicode.Scalar, hasNames: Bool, depth: Int) -> Bool {
        index += 1
        if take(closing) { return true }
        repeat {
            if hasNames { guard value(depth: depth + 1) != nil, take(":") else { return false } }
            guard value(depth: depth + 1) != nil else { return false }
        } while take(",")
        return take(closing)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
