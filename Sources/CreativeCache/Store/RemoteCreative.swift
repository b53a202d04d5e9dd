import Ports

/// A creative to fetch from a remote cache, as the answer of the auction describes it.
package struct RemoteCreative: Hashable, Sendable {
    /// Why the answer of a remote cache is not kept.
    package enum Problem: Error, Hashable {
        case invalidID, noMarkup, otherBid

        /// The problem as one clause.
        package var message: String {
            switch self {
            case .invalidID: "the id is not valid in this cache"
            case .noMarkup: "the remote cache has no markup for it"
            case .otherBid: "the remote cache has another bid under this id"
            }
        }
    }

    package var id: CreativeID
    /// URL in the remote cache.
    package var url: String
    /// Id of the bid that it must be.
    package var bidID: String
    /// `banner`, `video`, `audio` or `native`; nil when the auction does not state it.
    package var type: String?
    package var origin: CachedCreative.Origin

    package init(id: CreativeID, url: String, bidID: String, type: String? = nil, origin: CachedCreative.Origin) {
        self.id = id
        self.url = url
        self.bidID = bidID
        self.type = type
        self.origin = origin
    }
}

extension CachedCreative {
    /// Reads the creative in an answer of a Prebid Cache: the markup of a bid, or XML (CACHE-3).
    package init(
        _ remote: RemoteCreative, body: [UInt8], contentType: String?
    ) throws(RemoteCreative.Problem) {
        let content: Content
        var kind = Kind.video
        // An answer that is not JSON may be XML.
        if let bid = try? JSONReader.read(body) {
            if let id = bid["id"]?.stringValue, id != remote.bidID { throw .otherBid }
            guard let markup = bid["adm"]?.stringValue, !markup.isEmpty else { throw .noMarkup }
            let type = remote.type ?? bid["ext"]?["prebid"]?["type"]?.stringValue
            kind = type == "video" || type == "audio" ? .video : type == "native" ? .native : .banner
            content = Content(body: Array(markup.utf8), bidJSON: body)
        } else {
            guard Kind(contentType: contentType ?? "") == .video, !body.isEmpty else { throw .noMarkup }
            content = Content(body: body)
        }
        self.init(id: remote.id, kind: kind, fallbackURL: remote.url, origin: remote.origin, content: content)
    }
}
