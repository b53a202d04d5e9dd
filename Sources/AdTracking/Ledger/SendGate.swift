package import Ports

/// Decides which URLs may be requested; every beacon passes it.
package struct SendGate: Hashable, Sendable {
    /// Hosts that beacons may be sent to, in lower case; their subdomains are included. Nil allows all hosts.
    package var allowedHosts: Set<String>?
    /// Rule for addresses. The gate judges literal addresses; the edge applies the rule to resolved names.
    package var addressRule: AddressRule
    /// Whether URLs come with their macros filled, as those of notices do: what still looks like a macro is sent as it is.
    package var urlsAreFilled = false

    package init(allowedHosts: Set<String>? = nil, addressRule: AddressRule = .anywhere) {
        self.allowedHosts = allowedHosts.map { Set($0.map { $0.lowercased() }) }
        self.addressRule = addressRule
    }

    /// The gate of a session: beacons may go to private addresses only if the media itself is on one.
    /// - Parameters:
    ///   - allowedHosts: the only hosts that beacons may be sent to, wherever they are: a person named them.
    ///   - firesByDefault: the mode is the default, so a loopback session reaches loopback collectors only: the stream may
    ///     be a tunnel or a proxy to a public one, with paid impressions.
    ///   - allowsPrivate: lifts the rule for public sessions.
    package init(
        mediaURL: WebURL, allowedHosts: Set<String>? = nil, firesByDefault: Bool = false, allowsPrivate: Bool = false
    ) {
        let rule: AddressRule =
            switch mediaURL.literalReach ?? .global {
            case .loopback where firesByDefault: .loopbackOnly
            case .global where !allowsPrivate: .publicOnly(except: allowedHosts ?? [])
            default: .anywhere
            }
        self.init(allowedHosts: allowedHosts, addressRule: rule)
    }

    /// The URL to request, with letters beyond ASCII as escapes, or the reason it is not requested.
    /// - Parameter isFilled: whether its macros were filled; macros that remain then are unknown, and the URL is sent
    ///   with them (VAST 4.3 section 6).
    package func judge(_ url: String, of type: EventType, isFilled: Bool = false) -> Result<WebURL, Refusal> {
        switch type.eventClass {
        case .time, .user, .player: break
        // A click-through is a landing page; requesting it would count a click that never happened.
        case .click: return .failure(Refusal(.clickClass))
        case .verification: return .failure(Refusal(.verificationClass))
        case .companion, .unknown: return .failure(Refusal(.userClass))
        }
        let text = URLText(url)
        guard isFilled || urlsAreFilled || !text.hasMacro else { return .failure(Refusal(.macroUnresolved)) }
        guard !text.isUnusable, let webURL = try? WebURL(written: url) else { return .failure(Refusal(.badURL)) }
        guard redirectRule.allows(host: webURL.host), isReachable(webURL) else {
            return .failure(Refusal(.hostNotAllowed))
        }
        return .success(webURL)
    }

    /// For the edge: each hop of a redirect is judged as the beacon's own URL was.
    package var redirectRule: RedirectRule { RedirectRule(allowedHosts: allowedHosts, allowsDowngrade: false) }

    /// As far as it is known without name resolution.
    private func isReachable(_ url: WebURL) -> Bool {
        switch addressRule.reach(of: url.host) {
        case .anywhere: true
        case .publicOnly: (url.writtenReach ?? .global) == .global
        case .loopbackOnly: url.literalReach == .loopback
        }
    }

    package struct Refusal: Error, Hashable, Sendable {
        package var reason: SkipReason

        package init(_ reason: SkipReason) {
            self.reason = reason
        }
    }
}
