package import Ports

/// Uplynk: recognised by its hosts and by the comments in its playlists, and not followed yet.
package enum Uplynk: RecognisableService {
    package static let name = "uplynk"
    package static let title = "Uplynk"

    package static func place(of url: WebURL) -> ServicePlace? {
        guard [".uplynk.com", ".downlynk.com"].contains(where: url.host.hasSuffix) else { return nil }
        if url.path.hasPrefix("/preplay/") { return ServicePlace(.opening) }
        return ServicePlace(["/session/ping/", "/ping/ad/"].contains(where: url.path.contains) ? .ping : .unknown)
    }

    package static func isNamed(in text: String) -> Bool { text.contains("#UPLYNK-SEGMENT:") }
}
