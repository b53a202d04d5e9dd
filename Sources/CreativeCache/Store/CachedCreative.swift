/// A creative as stored in the cache (CACHE-1).
package struct CachedCreative: Hashable, Sendable {
    /// The kind of content, which decides the form of the answer of `/cache?uuid=`.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case banner, video, native
        /// Written through the interface of Prebid Cache, as XML text.
        case prebidXML = "pbc-xml"
        /// Written through the interface of Prebid Cache, as any JSON value.
        case prebidJSON = "pbc-json"
    }

    /// The source of a creative, for display.
    package struct Origin: Hashable, Sendable {
        /// Id of the auction's request.
        package var auction: String?
        package var bidder: String?

        package init(auction: String? = nil, bidder: String? = nil) {
            self.auction = auction
            self.bidder = bidder
        }
    }

    /// The bytes of a creative, which the tiers store and the limits count.
    package struct Content: Hashable, Sendable {
        /// The answer of `/ID`.
        package var body: [UInt8]
        /// The answer of `/cache?uuid=ID` for a bid: the universal creative reads the bid, not the markup.
        package var bidJSON: [UInt8]?

        package init(body: [UInt8], bidJSON: [UInt8]? = nil) {
            self.body = body
            self.bidJSON = bidJSON
        }

        package var byteCount: Int { body.count + (bidJSON?.count ?? 0) }
    }

    package var id: CreativeID
    package var kind: Kind
    package var contentType: String
    /// URL of the same creative in a remote cache.
    package var fallbackURL: String?
    package var origin: Origin
    package var content: Content

    package init(
        id: CreativeID, kind: Kind, contentType: String? = nil, fallbackURL: String? = nil, origin: Origin = Origin(),
        content: Content
    ) {
        self.id = id
        self.kind = kind
        // The content type becomes a header field, so one that could end the line is rejected.
        self.contentType = contentType.flatMap { Self.isFieldValue($0) ? $0 : nil } ?? kind.contentType
        self.fallbackURL = fallbackURL
        self.origin = origin
        self.content = content
    }

    /// Whether the text has only visible ASCII characters and spaces, and an acceptable length.
    package static func isFieldValue(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }
}

extension CachedCreative.Kind {
    /// The default content type of the kind.
    package var contentType: String {
        switch self {
        case .banner: "text/html; charset=utf-8"
        case .video, .prebidXML: "application/xml"
        case .native, .prebidJSON: "application/json"
        }
    }

    /// The kind for a MIME type; parameters are ignored.
    package init(contentType: String) {
        let type = contentType.prefix { $0 != ";" }.lowercased()
        self =
            if type.hasSuffix("/xml") || type.hasSuffix("+xml") {
                .video
            } else if type.hasSuffix("/json") || type.hasSuffix("+json") {
                .native
            } else {
                .banner
            }
    }
}
