import Live
import Ports

/// What a file is, by its first bytes, and the verb that reads it.
enum FileKind: Equatable, Sendable {
    case recording, playlist, vast, vmap, dash, journal, sessions, other

    /// Number of first bytes that are looked at.
    static let lookedAt = 4_096

    /// The kind of a file; nil when there is no such file. Throws for a folder and for a file that cannot be read.
    static func of(_ path: String) throws(CommandFailure) -> FileKind? {
        do throws(FileProblem) {
            return FileKind(beginning: try FileText.beginning(of: path, bytes: lookedAt))
        } catch {
            if error.reason == .missing { return nil }
            throw CommandFailure(.usage, "\(error); give the URL of a stream, or see adtop --help")
        }
    }

    /// The kind of a file that begins like this.
    init(beginning bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        // Compressed, a recording is the only file that adtop writes.
        if bytes.starts(with: [0x1F, 0x8B]) || text.hasPrefix("{\"format\":\"adtop-recording") {
            self = .recording
        } else if text.hasPrefix("SQLite format 3\0") {
            self = .journal
        } else if text.hasPrefix("#EXTM3U") || text.hasPrefix("\u{FEFF}#EXTM3U") {
            self = .playlist
        } else {
            self = Self.kind(ofText: text)
        }
    }

    /// The kind of a text by what it begins with. JSON may carry documents and URLs without being one of them or a list.
    private static func kind(ofText text: String) -> FileKind {
        switch text.unicodeScalars.first(where: { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }) {
        case "<": elements.first { text.contains($0.mark) }?.kind ?? .other
        case "{", "[": .other
        default: text.contains("http://") || text.contains("https://") ? .sessions : .other
        }
    }

    /// Start tags of root elements.
    private static let elements: [(mark: String, kind: FileKind)] = [
        ("<MPD", .dash), ("VMAP>", .vmap), ("VMAP ", .vmap), ("<VAST", .vast),
    ]

    /// What to do with the file at `path`, which is not a recording: *problem; remedy*.
    func advice(_ path: String) -> String {
        switch self {
        case .recording: "a recording; adtop replay \(path) shows it"
        case .playlist: "a playlist; adtop hls parse \(path) reads it"
        case .vast: "a VAST document; adtop vast lint \(path) reads it"
        case .vmap: "a VMAP document; adtop vmap parse \(path) reads it"
        case .dash: "a DASH manifest; adtop follows HLS only: give the HLS URL of the same stream"
        case .journal: "a journal; adtop report \(path) reads it"
        case .sessions: "a file with URLs; adtop monitor \(path) follows them"
        case .other: "a file, not the URL of a stream; adtop --help lists the verbs that read files"
        }
    }
}
