import Live
import Ports

/// The vectors that the project considers wrong, with reasons in docs/conformance-exceptions.md. An item of its section
/// "Exceptions" begins with the case in backquotes, such as `hls/playlists/NAME.expected.json` or
/// `…/vectors.json#NAME`.
struct Exceptions: Sendable {
    /// The file of the exceptions, relative to the project's folder.
    static let defaultFile = "docs/conformance-exceptions.md"
    static let maximumBytes = 1 << 20

    let ids: [String]

    static let none = Exceptions(text: "")

    /// Reads the file.
    init(file: String) throws(FileProblem) {
        self.init(text: String(decoding: try FileText.read(file, maximumBytes: Self.maximumBytes), as: UTF8.self))
    }

    /// Reads Markdown.
    init(text: String) {
        var isInSection = false
        ids = text.split(separator: "\n").compactMap { line in
            if line.hasPrefix("#") { isInSection = line.drop { $0 == "#" || $0 == " " } == "Exceptions" }
            guard isInSection, line.hasPrefix("- `") else { return nil }
            let id = line.dropFirst(3).prefix { $0 != "`" }
            return id.isEmpty ? nil : String(id)
        }
    }

    /// Whether the case is an exception; only the end of its path is compared.
    func covers(_ id: String) -> Bool {
        ids.contains { id == $0 || id.hasSuffix("/\($0)") }
    }
}
