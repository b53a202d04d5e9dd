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
    /// The SCTE-35 messages that cannot be decoded, in the order of lines. Each is a finding, too, of which only the first are kept.
    package var undecodableSplices: [UndecodableSplice]

    package init(
        uri: String, variables: [String: String] = [:], kind: Kind, findings: [Finding],
        undecodableSplices: [UndecodableSplice] = []
    ) {
        self.uri = uri
        self.variables = variables
        self.kind = kind
        self.findings = findings
        self.undecodableSplices = undecodableSplices
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

/// A SCTE-35 message of a playlist that cannot be decoded.
package struct UndecodableSplice: Hashable, Sendable {
    /// 1-based line of its tag.
    package var line: Int
    /// The attribute that has it, or the tag that is nothing but a message.
    package var name: String
    /// What `SpliceTransport` cannot decode, as written.
    package var text: String
}
