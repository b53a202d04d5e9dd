import AdTracking
import Ports

extension ProviderContract {
    /// A document in the encoding that its header names is the same document. JSON is UTF-8, whatever its header says (RFC 8259 section 8.1).
    func encodings() -> [String] {
        var provider = opened()
        guard case .success(let document) = read(samples.accented, by: &provider),
            document.breaks.contains(where: { $0.ads.contains { $0.name?.contains("\u{E9}") == true } })
        else { return ["the sample has no ad with an id outside ASCII"] }
        let isJSON = samples.contentType.contains("json")
        return Encoding.allCases.flatMap { encoding -> [String] in
            let text = samples.accented.replacing("\u{E9}", with: encoding.letter)
            var (expecting, provider) = (opened(), opened())
            let expected = read(text, by: &expecting)
            let bytes = isJSON && !encoding.isWide ? Array(text.utf8) : encoding.bytes(of: text)
            let type = samples.contentType.prefix { $0 != ";" } + "; charset=\(encoding.rawValue)"
            let result = read(bytes, type: String(type), by: &provider)
            guard isJSON, encoding.isWide else {
                return result == expected ? [] : ["a document in \(encoding.rawValue) is read differently"]
            }
            guard case .failure(let problem) = result else { return ["JSON in \(encoding.rawValue) is read"] }
            return Self.unreadable(problem)
        }
    }

    /// What servers write.
    private enum Encoding: String, CaseIterable {
        case latin1 = "ISO-8859-1"
        case windows = "windows-1252"
        case littleEndian = "UTF-16LE"
        case bigEndian = "UTF-16BE"

        var isWide: Bool { self == .littleEndian || self == .bigEndian }

        /// A letter that other encodings write otherwise.
        var letter: String { self == .windows ? "\u{20AC}" : "\u{E9}" }

        func bytes(of text: String) -> [UInt8] {
            switch self {
            case .latin1, .windows:
                text.unicodeScalars.map { $0 == "\u{20AC}" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
            case .littleEndian: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            case .bigEndian: [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            }
        }
    }
}
