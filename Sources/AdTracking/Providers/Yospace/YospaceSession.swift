package import Ports
import VAST

/// The addresses of a session (PRV-30).
package struct YospaceSession: Hashable, Sendable {
    /// The manifest to play.
    package var manifest: WebURL
    /// Where new breaks are listed; nil for recorded programmes, whose opening answer has them all.
    package var tracking: WebURL?
    /// The service's id of the session; nil without one.
    package var id: String?
    /// Length of a recorded programme in seconds; nil while unknown, and of live streams.
    package var length: ExactDecimal?

    private static let tag = "#EXT-X-YOSPACE-ANALYTICS-URL:"
    private static let parameter = ";jsessionid="

    /// The session in a manifest; nil if the manifest names none.
    /// - Parameter url: the address of the manifest.
    package init?(manifest text: String, at url: WebURL) {
        if text.drop(while: \.isWhitespace).hasPrefix("<") {
            self.init(presentation: text, at: url)
            return
        }
        let lines = text.split(whereSeparator: \.isNewline).prefix(1_000)
        guard let line = lines.first(where: { $0.hasPrefix(Self.tag) }) else { return nil }
        let value = line.dropFirst(Self.tag.count)
        // An answer may be cut in the address.
        guard value.count(where: { $0 == "\"" }).isMultiple(of: 2) else { return nil }
        let written = value.filter { $0 != "\"" && !$0.isWhitespace }
        guard !written.isEmpty, let tracking = try? url.resolving(written) else { return nil }
        self.init(tracking: tracking, master: url)
    }

    /// A running session of which the tracking address is known.
    package init(attachedTo tracking: WebURL, manifest: WebURL) {
        (self.tracking, self.manifest, id) = (tracking, manifest, Self.id(in: tracking))
    }

    private init(tracking: WebURL, master: WebURL) {
        (self.tracking, id, manifest) = (tracking, Self.id(in: tracking), master)
        guard let id else { return }
        // The address of the manifest may have a session already.
        let path = master.path.firstRange(of: Self.parameter).map { master.path[..<$0.lowerBound] } ?? master.path[...]
        manifest = (try? tracking.with(path: "\(path)\(Self.parameter)\(id)", query: master.query)) ?? master
    }

    /// An MPD has the address in an attribute, or the session in the address of its Location.
    private init?(presentation text: String, at url: WebURL) {
        guard let tree = XMLReader.read(Array(text.utf8)).tree, tree.name(XMLTree.root) == "MPD" else { return nil }
        if let written = tree.attribute("analytics", of: XMLTree.root), let tracking = try? url.resolving(written) {
            self.init(tracking: tracking, master: url)
            return
        }
        guard let node = tree.children(XMLTree.root).first(where: { tree.name($0) == "Location" }),
            let location = try? url.resolving(tree.text(node)),
            let parameters = location.path.firstIndex(of: ";"),
            let tracking = try? location.with(
                path: "/csm/analytics\(location.path[parameters...])", query: location.query)
        else { return nil }
        self.init(attachedTo: tracking, manifest: location)
    }

    /// The session of a recorded programme: the answer to the request of its manifest is VMAP, which names the manifest to play.
    /// - Parameter url: the address that was requested.
    init?(programme tree: XMLTree, at url: WebURL) {
        guard let stream = tree.extensionElement("Stream", in: XMLTree.root),
            let host = tree.attribute("urlDomain", of: stream)
        else { return nil }
        let suffix = tree.attribute("urlSuffix", of: stream) ?? ""
        let scheme = url.isSecure ? "https" : "http"
        let separator = suffix.hasPrefix("/") || suffix.isEmpty ? "" : "/"
        guard let manifest = try? WebURL("\(scheme)://\(host)\(separator)\(suffix)") else { return nil }
        (self.manifest, tracking, id) = (manifest, nil, tree.attribute("id", of: stream))
        length = Self.length(of: stream, in: tree)
    }

    /// Length in seconds that a recorded programme states.
    static func length(of stream: XMLTree.Index, in tree: XMLTree) -> ExactDecimal? {
        tree.attribute("duration", of: stream).flatMap(ListedTime.seconds(text:))
    }

    /// The same for the bytes of an answer.
    /// - Parameter charset: encoding that the transport names.
    package init?(programme bytes: [UInt8], charset: String? = nil, at url: WebURL) {
        guard let tree = VASTReader.read(bytes, charset: charset).xml.tree else { return nil }
        self.init(programme: tree, at: url)
    }

    /// The session's id in an address; nil without one.
    package static func id(in url: WebURL) -> String? {
        guard let range = url.path.firstRange(of: parameter) else { return nil }
        let id = url.path[range.upperBound...].prefix { $0 != ";" && $0 != "/" }
        return id.isEmpty ? nil : String(id)
    }

    /// Whether an address is that of a session.
    static func hasParameter(_ url: WebURL) -> Bool { url.path.contains(parameter) }

    /// Whether a playlist names a session.
    package static func isNamed(in playlist: String) -> Bool { playlist.contains("#EXT-X-YOSPACE-ANALYTICS-URL") }
}
