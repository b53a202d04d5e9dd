/// Where a session stands with its provider, for those who watch it.
package struct ProviderStatus: Hashable, Sendable {
    /// Who reports what playback triggers.
    package enum Reporter: String, Hashable, Sendable, CaseIterable {
        case viewer, service
        /// The service some of it, the viewer the rest.
        case both
    }

    /// How reporting is divided, in the word of the provider; nil where there is one way only.
    package var mode: String?
    package var reporter: Reporter
    /// Uptime at which the token was listed that continues the list of ads; nil where every answer has the whole list.
    package var tokenSince: Duration?

    package init(mode: String? = nil, reporter: Reporter = .viewer, tokenSince: Duration? = nil) {
        (self.mode, self.reporter, self.tokenSince) = (mode, reporter, tokenSince)
    }
}

extension AdMetadataProvider {
    /// Most services have one way, in which the viewer reports and every answer is whole.
    package var status: ProviderStatus { ProviderStatus() }
}
