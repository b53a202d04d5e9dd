package import Ports

/// The metadata of a cached creative.
package struct CreativeRecord: Hashable, Sendable {
    package var id: CreativeID
    package var kind: CachedCreative.Kind
    package var contentType: String
    package var fallbackURL: String?
    package var origin: CachedCreative.Origin
    /// Bytes of body and bid together.
    package var byteCount: Int
    package var storedAt: UnixTime
    /// The first moment at which it is no longer valid.
    package var expiresAt: UnixTime
    package var lastUsed: UnixTime
    package var hits: Int

    package init(_ creative: CachedCreative, storedAt: UnixTime, expiresAt: UnixTime) {
        id = creative.id
        kind = creative.kind
        contentType = creative.contentType
        fallbackURL = creative.fallbackURL
        origin = creative.origin
        byteCount = creative.content.byteCount
        self.storedAt = storedAt
        self.expiresAt = expiresAt
        lastUsed = storedAt
        hits = 0
    }

    /// Whether `now < storedAt + ttl` by the wall clock.
    package func isValid(at now: UnixTime) -> Bool { now < expiresAt }

    /// The creative with its bytes.
    package func creative(with content: CachedCreative.Content) -> CachedCreative {
        CachedCreative(
            id: id, kind: kind, contentType: contentType, fallbackURL: fallbackURL, origin: origin, content: content)
    }
}
