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

    /// Throws for an address whose scheme is neither http nor https: such a text is no path of a file.
    static func checkScheme(of place: String) throws(CommandFailure) {
        guard let scheme = otherScheme(of: place) else { return }
        if scheme.lowercased() == "file" {
            throw CommandFailure(.usage, "'\(place)' is a file URL; give the path of the file")
        }
        throw CommandFailure(
            .usage, "'\(place)' \(WebURLProblem.notHTTP(scheme: scheme).explanation); give such a URL, or a file")
    }

    /// The scheme of an address that cannot be requested; nil for one that can, and for a path.
    static func otherScheme(of place: String) -> String? {
        guard !isAddress(place), let scheme = URIReference(place).scheme else { return nil }
        return place.dropFirst(scheme.count).hasPrefix("://") ? String(scheme) : nil
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
