package import Ports

/// What may be requested at all. Nothing is sent around it.
package struct SendGate: Hashable, Sendable {
    /// Hosts beacons may go to, lower case, with their subdomains; nil allows all.
    package var allowedHosts: Set<String>?
    /// For the edge, which knows what names resolve to; literal addresses are judged here.
    package var addressRule: AddressRule

    package init(allowedHosts: Set<String>? = nil, addressRule: AddressRule = .anywhere) {
        self.allowedHosts = allowedHosts.map { Set($0.map { $0.lowercased() }) }
        self.addressRule = addressRule
    }

    /// The gate of a session: one whose media is not itself on a private address may not reach such addresses.
    package init(mediaURL: WebURL, allowedHosts: Set<String>? = nil) {
        let isPrivate = mediaURL.literalReach.map { $0 != .global } ?? false
        self.init(allowedHosts: allowedHosts, addressRule: isPrivate ? .anywhere : .publicOnly)
    }

    /// The URL to request, or why it is not requested.
    /// - Parameter isFilled: its macros were replaced; one that stands there still is in no list, and goes out as it is
    ///   (VAST 4.3 section 6).
    package func judge(_ url: String, of type: EventType, isFilled: Bool = false) -> Result<WebURL, Refusal> {
        switch type.eventClass {
        case .time, .user, .player: break
        // A click-through is a landing page; requesting it would be a click nobody made.
        case .click: return .failure(Refusal(.clickClass))
        case .verification: return .failure(Refusal(.verificationClass))
        case .companion, .unknown: return .failure(Refusal(.userClass))
        }
        guard isFilled || !URLText(url).hasMacro else { return .failure(Refusal(.macroUnresolved)) }
        guard let webURL = try? WebURL(url) else { return .failure(Refusal(.badURL)) }
        guard allows(webURL.host), addressRule == .anywhere || (webURL.literalReach ?? .global) == .global
        else { return .failure(Refusal(.hostNotAllowed)) }
        return .success(webURL)
    }

    private func allows(_ host: String) -> Bool {
        guard let allowedHosts else { return true }
        return allowedHosts.contains(host) || allowedHosts.contains { host.hasSuffix("." + $0) }
    }

    package struct Refusal: Error, Hashable, Sendable {
        package var reason: SkipReason

        package init(_ reason: SkipReason) {
            self.reason = reason
        }
    }
}
