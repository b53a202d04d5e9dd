package import Ports

/// The result of parsing one text, with all findings.
package struct ParsedPlaylist: Hashable, Sendable {
    /// A media playlist, a multivariant playlist, or an invalid text.
    package enum Kind: Hashable, Sendable {
        case media(MediaPlaylist)
        case multivariant(MultivariantPlaylist)
        /// The rule that made it invalid: one of the fatal ones (HLS-5). The findings contain it with its line.
        case invalid(rule: String)
    }

    /// The base of relative URIs, after redirects.
    package var uri: String
    /// Variables of the multivariant playlist that were available to IMPORT.
    package var variables: [String: String]
    package var kind: Kind
    /// Findings in the order of lines; those about the whole playlist are last.
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
