package import Ports

/// What a provider knows without an answer to a request for documents.
package enum ProviderDocument: Sendable {
    /// What an answer lists that opened the session or that a ping got, with the number of that ping.
    case answer(DecodedMetadata, HTTPExchange, ping: Int?)
    /// What the media shows of the ads.
    case media(DecodedMetadata)
    /// What is wrong, or worth knowing, without any ads.
    case findings([Finding])
}

extension AdMetadataProvider {
    // Most services list ads only in the documents that they are asked for.
    package var hasDocument: Bool { false }
    package func nextDocument(after date: UnixTime) -> UnixTime? { nil }
    package mutating func takeDocument(on stream: StreamFacts) -> ProviderDocument? { nil }
}
