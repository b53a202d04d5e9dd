/// The names of simulated sessions in a text: `sim1-0`, `sim1-0_3`, where the part from `_` on is the number of a session that replaced
/// another one.
struct SessionNames {
    private let prefix: [UInt8]

    init(_ seed: UInt64) {
        prefix = Array("sim\(seed)-".utf8)
    }

    /// The first name in the text.
    func first(in text: String) -> String? {
        let bytes = Array(text.utf8)
        return nextPrefix(in: bytes, from: 0).map { String(decoding: name(at: $0, in: bytes), as: UTF8.self) }
    }

    /// The text with each name replaced.
    func replaced(in text: [UInt8], by replacement: (String) -> String) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        while let range = nextPrefix(in: text, from: copied) {
            let name = name(at: range, in: text)
            result += text[copied..<range.lowerBound]
            result += replacement(String(decoding: name, as: UTF8.self)).utf8
            copied = name.endIndex
        }
        return result + text[copied...]
    }

    /// The text with the names that the origin knows.
    func planned(_ text: [UInt8]) -> [UInt8] {
        replaced(in: text) { String($0.prefix { $0 != "_" }) }
    }

    func planned(_ text: String) -> String { String(decoding: planned(Array(text.utf8)), as: UTF8.self) }

    /// The next beginning of a name. A search by the standard library took a third of the time of a simulation: every answer is looked
    /// through, and few have a name.
    private func nextPrefix(in text: [UInt8], from start: Int) -> Range<Int>? {
        text.withUnsafeBufferPointer { text in
            var place = start
            while place + prefix.count <= text.count {
                if text[place] == prefix[0], text[place..<place + prefix.count].elementsEqual(prefix) {
                    return place..<place + prefix.count
                }
                place += 1
            }
            return nil
        }
    }

    private func name(at range: Range<Int>, in text: [UInt8]) -> ArraySlice<UInt8> {
        var end = digits(from: range.upperBound, in: text)
        if end < text.count, text[end] == UInt8(ascii: "_") { end = digits(from: end + 1, in: text) }
        return text[range.lowerBound..<end]
    }

    private func digits(from start: Int, in text: [UInt8]) -> Int {
        text[start...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? text.count
    }
}
