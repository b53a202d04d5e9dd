/// Where a session stands with its provider, for those who watch it.
package struct ProviderStatus: Hashable, Sendable {
    /// Who reports what playback triggers.
    package enum Reporter: String, Hashable, Sendable, CaseIterable {
        case viewer, service
        /// The service some of it, the viewer the rest.
        case both
    }

    /// What a session asks for about prefetched ads, as its service has it.
    package struct Prefetch: Hashable, Sendable {
        /// The stream whose schedules count.
        package var stream: String?
        /// How the service prefetches.
        package var mode: String?

        /// Nil where nothing is asked for.
        package init?(stream: String?, mode: String?) {
            guard stream != nil || mode != nil else { return nil }
            (self.stream, self.mode) = (stream, mode)
        }
    }

    /// How reporting is divided, in the word of the provider; ``client`` where it has no other way.
    package var mode: String
    package var reporter: Reporter
    /// Uptime at which the token was listed that continues the list of ads; nil where every answer has the whole list.
    package var tokenSince: Duration?
    /// Nil where the session asks for nothing. Which ads were prefetched is not known.
    package var prefetch: Prefetch?

    /// The mode in which the viewer reports everything.
    package static let client = "client"

    package init(mode: String = client, reporter: Reporter = .viewer, tokenSince: Duration? = nil) {
        (self.mode, self.reporter, self.tokenSince) = (mode, reporter, tokenSince)
    }
}

extension AdMetadataProvider {
    /// Most services have one way, in which the viewer reports and every answer is whole.
    package var status: ProviderStatus { ProviderStatus() }
}
