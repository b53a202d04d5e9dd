package import Ports

/// Deriving the metadata URL from a manifest URL, for servers that name none (TRK-3). The reference
/// libraries do it by regular expressions, each wrong in its own way; here the URL is taken apart.
package enum MetadataURL {
    package enum Problem: Error, Hashable, Sendable {
        /// The path is empty or `/`: there is no component to replace.
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

    /// The last non-empty path component becomes `metadata`; host and query stay.
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
