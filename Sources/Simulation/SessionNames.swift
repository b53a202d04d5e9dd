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
        return bytes.firstRange(of: prefix).map { String(decoding: name(at: $0, in: bytes), as: UTF8.self) }
    }

    /// The text with each name replaced.
    func replaced(in text: [UInt8], by replacement: (String) -> String) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        for range in text.ranges(of: prefix) where range.lowerBound >= copied {
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

    private func name(at range: Range<Int>, in text: [UInt8]) -> ArraySlice<UInt8> {
        var end = digits(from: range.upperBound, in: text)
        if end < text.count, text[end] == UInt8(ascii: "_") { end = digits(from: end + 1, in: text) }
        return text[range.lowerBound..<end]
    }

    private func digits(from start: Int, in text: [UInt8]) -> Int {
        text[start...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? text.count
    }
}
