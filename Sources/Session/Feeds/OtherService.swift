import AdTracking
import Ports
import VAST

/// Another service than the one whose session was opened shows itself: its ads are not seen (PRV-41). It is reported once.
extension SessionPart {
    /// The first playlist is of another service.
    /// - Parameter name: the provider of the session; nil for a plain stream.
    mutating func noteOtherService(
        in exchange: HTTPExchange, than name: String?, _ desk: inout Desk, at now: Moment
    ) {
        let configuration = desk.configuration
        guard configuration.provider != .none, !showsOtherService, !configuration.replaysEarlier,
            let found = Self.recognition(of: exchange, askedFor: configuration.mediaURL), found.name != name
        else { return }
        noteOtherService(found.title, found.name, &desk, at: now)
    }

    /// Whose the playlist is: by its text and the address that the user gave, else by the address to which its server redirected.
    private static func recognition(of exchange: HTTPExchange, askedFor url: WebURL) -> Recognition? {
        let final = exchange.finalURL.flatMap { try? WebURL($0) }
        return [url, final].lazy.compactMap { $0.flatMap { Recognition(of: $0, text: exchange.body) } }
            .first(where: \.hasSessions)
    }

    /// Another provider finds breaks in what is at the address to which a session is attached, where this one has found none. Only
    /// the address says which provider an attached session has, and a provider may read any object.
    mutating func noteOtherReader(
        of exchange: HTTPExchange, than name: String?, _ desk: inout Desk, at now: Moment
    ) {
        guard !showsOtherService, let name,
            let reader = ProviderTable.otherReader(of: exchange.body, charset: exchange.charset, than: name)
        else { return }
        noteOtherService(reader.summary.title, reader.name, &desk, at: now)
    }

    /// The server does not answer the request for a session as the provider does that was named.
    mutating func noteForeignOpening(
        _ exchange: HTTPExchange, than name: String, _ desk: inout Desk, at now: Moment
    ) {
        let isAnswered = exchange.isSuccess || exchange.isBodyCut || exchange.failure?.kind == .bodyTooLarge
        guard isAnswered, !showsOtherService else { return }
        wasAnsweredByOther = true
        if let found = Self.recognition(of: exchange, askedFor: desk.configuration.mediaURL), found.name != name {
            return noteOtherService(found.title, found.name, &desk, at: now)
        }
        if let reader = ProviderTable.reader(of: exchange.body, charset: exchange.charset, except: name) {
            return noteOtherService(reader.summary.title, reader.name, &desk, at: now)
        }
        noteOtherService(
            "no session of '\(name)' is at this address: check it, or start again without --provider", &desk, at: now)
    }

    /// A session of the provider is open after all: the answer that was none of it came from something in between, such as the page of
    /// a network that wants a login.
    mutating func noteOwnOpening(of name: String, _ desk: inout Desk, at now: Moment) {
        guard wasAnsweredByOther else { return }
        (wasAnsweredByOther, showsOtherService) = (false, false)
        let finding = Finding(
            rule: SessionRule.otherProvider, severity: .info,
            message: "past: an earlier answer was no session of '\(name)'; a later one opened it", section: "PRV-41")
        desk.notePast(finding, from: .metadata, at: now)
    }

    private mutating func noteOtherService(_ title: String, _ name: String, _ desk: inout Desk, at now: Moment) {
        noteOtherService("the stream is of \(title): start again with --provider \(name)", &desk, at: now)
    }

    private mutating func noteOtherService(_ message: String, _ desk: inout Desk, at now: Moment) {
        showsOtherService = true
        let finding = Finding(
            rule: SessionRule.otherProvider, severity: .warning, message: message, section: "PRV-41")
        desk.noteFindings([finding], from: .metadata, at: now)
    }
}
