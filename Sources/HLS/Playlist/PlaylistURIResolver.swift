import Ports

/// Resolves the references of one playlist against its URI (RFC 3986 section 5.2). Most are plain relative paths, which
/// resolve by joining folder and path without parsing either. Absolute references without dot segments are unchanged.
struct PlaylistURIResolver {
    private let base: URIReference
    private let baseScheme: String?
    /// The base up to the last slash: the prefix of every plain relative path.
    private let folder: [UInt8]
    /// The last reference and its result, because playlists of byte ranges repeat one.
    private var lastReference: [UInt8] = []
    private var lastResult = ""

    init(base text: String) {
        base = URIReference(text)
        baseScheme = Self.scheme(of: text)
        folder = Array(URIReference.resolve("x", against: base).utf8.dropLast())
    }

    /// The resolved reference; absolute if the base is.
    mutating func resolve(_ reference: ByteView) -> String {
        if !lastReference.isEmpty, lastReference.withUnsafeBufferPointer(reference.equals) { return lastResult }
        let result: String
        if Self.isPlainPath(reference) {
            result = joined(reference)
        } else if Self.isPlainURI(reference) {
            result = reference.string
        } else {
            result = URIReference.resolve(reference.string, against: base)
        }
        lastReference.removeAll(keepingCapacity: true)
        lastReference.append(contentsOf: reference.bytes)
        lastResult = result
        return result
    }

    /// The same for text that is not a part of the playlist text, such as one with replaced variables.
    func resolve(_ reference: String) -> String {
        URIReference.resolve(reference, against: base)
    }

    /// The scheme of a resolved URI that is never requested: neither http nor https (HLS-6). A playlist from a file may name other files.
    func foreignScheme(of uri: String, allowsData: Bool = false) -> String? {
        guard !uri.utf8.starts(with: "https:".utf8), let scheme = Self.scheme(of: uri), scheme != "http",
            scheme != "https", scheme != baseScheme, !allowsData || scheme != "data"
        else { return nil }
        return scheme
    }

    /// The scheme of an absolute URI in lower case (RFC 3986 section 3.1), which is short.
    private static func scheme(of uri: String) -> String? {
        let bytes = uri.utf8.prefix(longestScheme + 1)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, first.isLetter,
            bytes[..<colon].allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E })
        else { return nil }
        return uri[..<colon].lowercased()
    }

    private static let longestScheme = 40

    private func joined(_ path: ByteView) -> String {
        String(unsafeUninitializedCapacity: folder.count + path.count) { buffer in
            let next = buffer.initialize(fromContentsOf: folder)
            return buffer[next...].initialize(fromContentsOf: path.bytes)
        }
    }

    /// A reference that is not empty, has no scheme and no dot segments, does not start at the root, and is more than a
    /// query or fragment.
    private static func isPlainPath(_ text: ByteView) -> Bool {
        guard text[0] != UInt8(ascii: "/") else { return false }
        var previous = UInt8(ascii: "/")
        var index = 0
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: ":"): return false
            case UInt8(ascii: "."): if previous == UInt8(ascii: "/") { return false }
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return index > 0
            default: break
            }
            previous = byte
            index += 1
        }
        return !text.isEmpty
    }

    /// An absolute http or https URI without a dot segment, which needs no resolution.
    private static func isPlainURI(_ text: ByteView) -> Bool {
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return false }
        var previous: UInt8 = 0
        for index in 0..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return false }
            previous = byte
        }
        return true
    }
}
