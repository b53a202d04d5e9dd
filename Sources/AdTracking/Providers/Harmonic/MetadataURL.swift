package import Ports

/// Derives the metadata URL from a manifest URL, for servers that do not announce one (TRK-3). The reference libraries
/// use regular expressions, each with its own errors; here the URL is parsed.
package enum MetadataURL {
    package enum Problem: Error, Hashable, Sendable {
        /// The path is empty or `/`: it has no component to replace.
        case noPath
        case notAURL(WebURLProblem)

        /// One clause for log lines.
        package var explanation: String {
            switch self {
            case .noPath: "cannot derive the metadata URL: the manifest URL has no path"
            case .notAURL(let problem): "cannot derive the metadata URL: it \(problem.explanation)"
            }
        }
    }

    /// Replaces the last non-empty path component by `metadata`; host and query are kept.
    package static func derive(from manifest: WebURL) -> Result<WebURL, Problem> {
        var path = Substring(manifest.path)
        while path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return .failure(.noPath) }
        do {
            return .success(try manifest.with(path: path[...slash] + "metadata", query: manifest.query))
        } catch {
            return .failure(.notAURL(error))
        }
    }
}
