/// Arrays in answers (PostgreSQL documentation, section 8.15.6).
enum PostgresArray {
    /// The elements of an array of one dimension, null for null; nil if the text is not one.
    static func elements(_ text: String) -> [String?]? {
        var bytes = Array(text.utf8)[...]
        guard bytes.popFirst() == UInt8(ascii: "{"), bytes.popLast() == UInt8(ascii: "}") else { return nil }
        guard !bytes.isEmpty else { return [] }
        var elements: [String?] = []
        while true {
            guard let element = element(&bytes) else { return nil }
            elements.append(element)
            guard let next = bytes.popFirst() else { return elements }
            guard next == UInt8(ascii: ",") else { return nil }
        }
    }

    /// The next element. An inner optional is null.
    private static func element(_ bytes: inout ArraySlice<UInt8>) -> String?? {
        guard bytes.first == UInt8(ascii: "\"") else {
            let word = bytes.prefix { $0 != UInt8(ascii: ",") }
            bytes = bytes[word.endIndex...]
            guard !word.isEmpty, !word.contains(where: { "{}\"\\".utf8.contains($0) }) else { return nil }
            let text = String(decoding: word, as: UTF8.self)
            return .some(text == "NULL" ? nil : text)
        }
        bytes = bytes.dropFirst()
        var value: [UInt8] = []
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\"") { return .some(String(decoding: value, as: UTF8.self)) }
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                continue
            }
            guard let escaped = bytes.popFirst() else { return nil }
            value.append(escaped)
        }
        return nil
    }
}
