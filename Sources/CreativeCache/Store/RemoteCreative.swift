import Ports

extension CachedCreative {
    /// Reads the creative in an answer of a Prebid Cache: the markup of a bid, or XML (CACHE-3). Nil when it has
    /// neither.
    package init?(
        remote body: [UInt8], contentType: String?, id: CreativeID, url: String, origin: Origin
    ) {
        // An answer that is not JSON may be XML.
        if let bid = try? JSONReader.read(body) {
            guard let markup = bid["adm"]?.stringValue else { return nil }
            let type = bid["ext"]?["prebid"]?["type"]?.stringValue
            let kind: Kind = type == "video" || type == "audio" ? .video : type == "native" ? .native : .banner
            self.init(
                id: id, kind: kind, fallbackURL: url, origin: origin,
                content: Content(body: Array(markup.utf8), bidJSON: body))
        } else {
            guard Kind(contentType: contentType ?? "") == .video, !body.isEmpty else { return nil }
            self.init(id: id, kind: .video, fallbackURL: url, origin: origin, content: Content(body: body))
        }
    }
}
