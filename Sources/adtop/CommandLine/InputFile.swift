import Live
import Ports

/// Reads files named on the command line.
enum InputFile {
    /// Largest scenario or theme in bytes.
    private static let maximumTextBytes = 1 << 20

    /// Whether an input is requested and not opened. A scheme may be in any case (RFC 3986 section 3.1).
    static func isAddress(_ place: String) -> Bool {
        let start = place.prefix("https://".count).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }

    /// The bytes of `path`, or of standard input for `-`.
    static func bytes(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        do throws(FileProblem) {
            return try FileText.read(path, maximumBytes: limit)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
    }

    /// The text of `path`; when there is no such file, the error also names the `alternative`.
    static func text(_ path: String, or alternative: String) throws(CommandFailure) -> String {
        do throws(FileProblem) {
            return String(decoding: try FileText.read(path, maximumBytes: maximumTextBytes), as: UTF8.self)
        } catch {
            let isMissing = error.reason == .missing
            throw CommandFailure(.usage, isMissing ? "'\(path)' is neither a file nor \(alternative)" : "\(error)")
        }
    }
}
