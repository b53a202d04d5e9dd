package import Ports

/// Adobe Primetime: tracking data at the address of a media playlist, in its own JSON or in VMAP (PRV-37, PRV-38).
package enum Primetime: PolledDialect, RecognisableService {
    package static let name = "primetime"
    package static let contentType = "json"
    package static let placesWithoutDates = true

    package static let summary = ProviderSummary(
        title: "Adobe Primetime", recognition: "a path part auditude or a query parameter pttrackingmode",
        supports: [
            "the manifest of a bootstrap answer, or a manifest",
            "tracking data at the address of the first media playlist",
            "seconds of the stream; the player reports",
        ])

    package static func recognises(_ mediaURL: WebURL) -> Bool {
        QueryItems(mediaURL.query)["pttrackingmode"] != nil || mediaURL.path.contains("/auditude/")
    }

    package static func opened(_ mediaURL: WebURL) -> PolledOpening { .get(mediaURL, name: "manifest") }

    /// The tracking data is at the address of a media playlist, but for the parameters.
    package static func attached(to url: WebURL) -> Attachment {
        guard QueryItems(url.query)["pttrackingmode"] != nil else { return .tracking(url) }
        return .session(
            SessionAddresses(manifestURL: url, metadataURL: url, path: .tracking, isRecognised: true))
    }

    package static func answered(_ exchange: HTTPExchange, from url: WebURL, count: Int) -> PolledOpening {
        let text = String(decoding: exchange.body, as: UTF8.self)
        guard text.contains("#EXTM3U") else {
            // A bootstrap answer names the manifest; what else it may be does not matter.
            let named = (try? JSONReader.read(exchange.body))?["Master-M3U8"]?.stringValue
            guard count == 1, let manifest = named.flatMap({ try? url.resolving($0) }) else {
                return .problem("is neither a playlist nor an answer with Master-M3U8")
            }
            return .get(manifest, name: "Master-M3U8")
        }
        guard let media = mediaPlaylist(of: text, at: url), let tracking = tracking(of: media) else {
            return .problem("names no media playlist")
        }
        return .session(PolledSession(manifest: url, tracking: tracking, path: .variant))
    }

    /// The first variant of a multivariant playlist; a media playlist is its own, and shows it: tags of variants may be damaged.
    private static func mediaPlaylist(of text: String, at url: WebURL) -> WebURL? {
        guard !text.contains("#EXTINF"), !text.contains("#EXT-X-TARGETDURATION") else { return url }
        let lines = text.split(whereSeparator: \.isNewline).prefix(1_000)
        return lines.lazy.filter { !$0.hasPrefix("#") }.compactMap { try? url.resolving($0) }.first
    }

    private static func tracking(of media: WebURL) -> WebURL? {
        var items = QueryItems(media.query)
        items.appendIfAbsent(name: "pttrackingmode", value: "simple")
        items.appendIfAbsent(name: "pttrackingversion", value: "v2")
        items.appendIfAbsent(name: "pttrackingposition", value: "1")
        return try? media.with(path: media.path, query: items.text)
    }

    package static func read(
        _ bytes: [UInt8], charset: String?, of programme: PolledProgramme
    ) throws(MetadataProblem) -> PolledAnswer {
        // In UTF-16 each character of markup has a zero byte, and a mark of the byte order may come first.
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00].contains($0) }
        guard first == UInt8(ascii: "<") else { return PolledAnswer(try PrimetimeDocument.read(bytes).answer) }
        // `pttrackingversion=vmap`
        return PolledAnswer(try VMAPAnswer.read(bytes, charset: charset, total: programme.total).answer)
    }
}

package typealias PrimetimeProvider = PolledProvider<Primetime>
