package import Ports

/// Broadpeak (broadpeak.io): a session by the redirect of the first manifest request, metadata at the address of that manifest
/// (PRV-34 to PRV-36).
package enum Broadpeak: PolledDialect, RecognisableService {
    package static let name = "broadpeak"
    package static let contentType = "json"
    /// Live streams have dates in milliseconds.
    package static let placesWithoutDates = false

    package static let summary = ProviderSummary(
        title: "Broadpeak",
        recognition:
            "the host *.broadpeak.io or *.broadpeak.tv, or a query parameter bpkio_sessionid or bpkio_serviceid",
        supports: [
            "a session by the redirect of the manifest, or a running one",
            "metadata at the manifest's address with bk-ml=2.0, every 2 to 5 s as the service asks",
            "dates in milliseconds, or the time of a recorded programme; the player reports",
        ])

    private static let session = "bpkio_sessionid"
    private static let metadata = "bk-ml"

    package static func recognises(_ mediaURL: WebURL) -> Bool {
        let items = QueryItems(mediaURL.query)
        return [".broadpeak.io", ".broadpeak.tv"].contains(where: mediaURL.host.hasSuffix)
            || items[session] != nil || items["bpkio_serviceid"] != nil
    }

    package static func opened(_ mediaURL: WebURL) -> PolledOpening {
        session(at: mediaURL, path: .manifest).map(PolledOpening.session) ?? .get(mediaURL, name: "manifest")
    }

    /// The address of the manifest is that of the tracking data, too, but for one parameter.
    package static func attached(to url: WebURL) -> Attachment {
        guard let session = session(at: url, path: .tracking) else {
            return .problem("has no session (\(Self.session)); 'adtop URL' opens one")
        }
        return .session(
            SessionAddresses(
                manifestURL: session.manifest, metadataURL: session.tracking, path: .tracking, sessionID: session.id,
                isRecognised: true))
    }

    package static func answered(_ exchange: HTTPExchange, from url: WebURL, count: Int) -> PolledOpening {
        // With `response=200` the session is in a field instead of a redirect.
        let field = exchange.fields["location"].flatMap { try? url.resolving($0) }
        let found = [url, field].lazy.compactMap(\.self).compactMap { session(at: $0, path: .redirect) }.first
        return found.map(PolledOpening.session) ?? .problem("was not redirected to a session (\(session))")
    }

    private static func session(at url: WebURL, path: SessionAddresses.Path) -> PolledSession? {
        var items = QueryItems(url.query)
        guard let id = items[session], !id.isEmpty else { return nil }
        items.removeAll(named: metadata)
        let manifest = (try? url.with(path: url.path, query: items.text)) ?? url
        items.appendIfAbsent(name: metadata, value: "2.0")
        guard let tracking = try? url.with(path: url.path, query: items.text) else { return nil }
        return PolledSession(manifest: manifest, tracking: tracking, id: id, path: path)
    }

    package static func read(
        _ bytes: [UInt8], charset: String?, of programme: PolledProgramme
    ) throws(MetadataProblem) -> PolledAnswer {
        let document = try BroadpeakDocument.read(bytes, isLive: programme.isLive)
        return PolledAnswer(document.answer, after: document.after)
    }
}

package typealias BroadpeakProvider = PolledProvider<Broadpeak>
