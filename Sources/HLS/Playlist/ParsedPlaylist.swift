package import Ports

/// What one text turned out to be, with everything remarkable about it.
package struct ParsedPlaylist: Hashable, Sendable {
    /// Media, multivariant, or refused.
    package enum Kind: Hashable, Sendable {
        case media(MediaPlaylist)
        case multivariant(MultivariantPlaylist)
        /// The rule that refused it: one of the fatal list (hls-timeline 1.11). It is among the findings, with its
        /// line.
        case invalid(rule: String)
    }

    /// The base of relative URIs, after redirects.
    package var uri: String
    /// Variables of the multivariant playlist that were offered to IMPORT.
    package var variables: [String: String]
    package var kind: Kind
    /// In order of lines; those about the whole playlist last.
    package var findings: [Finding]

    package init(uri: String, variables: [String: String] = [:], kind: Kind, findings: [Finding]) {
        self.uri = uri
        self.variables = variables
        self.kind = kind
        self.findings = findings
    }

    /// The media playlist when it is one.
    package var media: MediaPlaylist? {
        if case .media(let playlist) = kind { playlist } else { nil }
    }

    /// The multivariant playlist when it is one.
    package var multivariant: MultivariantPlaylist? {
        if case .multivariant(let playlist) = kind { playlist } else { nil }
    }
}
