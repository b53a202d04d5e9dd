package import Ports
import VAST

/// Services that list their breaks as VMAP with times, such as Brightcove's on-demand insertion (PRV-27 to PRV-29).
package enum VMAPPolls: PolledDialect, RecognisableService {
    package static let name = "vmap"
    package static let contentType = "xml"
    package static let placesWithoutDates = true

    package static let summary = ProviderSummary(
        title: "VMAP polls", recognition: "an address whose path ends with /vmap or .vmap",
        supports: [
            "a VMAP document that names its manifest (uo:unicornOnce contenturi)",
            "the same document again every 4 s in a live stream, once for a recorded programme",
            "seconds of the stream; the player reports",
        ])

    package static func recognises(_ mediaURL: WebURL) -> Bool {
        let name = mediaURL.path.lowercased()
        return name.hasSuffix("/vmap") || name.hasSuffix(".vmap")
    }

    package static func isNamed(in text: String) -> Bool {
        // Documents have several namespaces, or none: the name of the root counts.
        XMLRoot.name(in: text) == "VMAP"
    }

    package static func opened(_ mediaURL: WebURL) -> PolledOpening { .get(mediaURL, name: "VMAP") }

    package static func answered(_ exchange: HTTPExchange, from url: WebURL, count: Int) -> PolledOpening {
        let reading = VASTReader.read(exchange.body, charset: exchange.charset)
        do throws(MetadataProblem) {
            guard try reading.schedule() != nil else { return .problem("is VAST without times instead of VMAP") }
        } catch {
            return .problem(error.explanation)
        }
        guard let tree = reading.xml.tree, let node = tree.extensionElement("unicornOnce", in: XMLTree.root),
            let manifest = tree.attribute("contenturi", of: node).flatMap({ try? url.resolving($0) })
        else { return .problem("names no manifest (uo:unicornOnce contenturi)") }
        return .session(PolledSession(manifest: manifest, tracking: url, path: .get))
    }

    package static func read(
        _ bytes: [UInt8], charset: String?, of programme: PolledProgramme
    ) throws(MetadataProblem) -> PolledAnswer {
        PolledAnswer(try VMAPAnswer.read(bytes, charset: charset, total: programme.total).answer)
    }
}

package typealias VMAPProvider = PolledProvider<VMAPPolls>
