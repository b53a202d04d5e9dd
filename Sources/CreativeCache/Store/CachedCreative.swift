/// A creative as it is put into the cache (CACHE-1).
package struct CachedCreative: Hashable, Sendable {
    /// What it is; decides in which form `/cache?uuid=` answers.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case banner, video, native
        /// Written through the interface of Prebid Cache, as XML text.
        case prebidXML = "pbc-xml"
        /// Written through the interface of Prebid Cache, as any JSON value.
        case prebidJSON = "pbc-json"
    }

    /// Who it is from, for people.
    package struct Origin: Hashable, Sendable {
        /// Id of the auction's request.
        package var auction: String?
        package var bidder: String?

        package init(auction: String? = nil, bidder: String? = nil) {
            self.auction = auction
            self.bidder = bidder
        }
    }

    /// The bytes: what tiers hold and limits count.
    package struct Content: Hashable, Sendable {
        /// Answer of `/ID`.
        package var body: [UInt8]
        /// Answer of `/cache?uuid=ID` where the creative is a bid: the universal creative reads the bid, not the markup.
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
    /// Where the same creative is on a remote cache.
    package var fallbackURL: String?
    package var origin: Origin
    package var content: Content

    package init(
        id: CreativeID, kind: Kind, contentType: String? = nil, fallbackURL: String? = nil, origin: Origin = Origin(),
        content: Content
    ) {
        self.id = id
        self.kind = kind
        // It becomes a header field; one that could end the line is not taken.
        self.contentType = contentType.flatMap { Self.isFieldValue($0) ? $0 : nil } ?? kind.contentType
        self.fallbackURL = fallbackURL
        self.origin = origin
        self.content = content
    }

    /// Visible ASCII and blanks, not too many.
    package static func isFieldValue(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }
}

extension CachedCreative.Kind {
    /// What a creative of the kind is sent as when nothing else is said.
    package var contentType: String {
        switch self {
        case .banner: "text/html; charset=utf-8"
        case .video, .prebidXML: "application/xml"
        case .native, .prebidJSON: "application/json"
        }
    }

    /// The kind that a MIME type suggests; parameters do not matter.
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
