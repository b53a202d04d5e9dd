package import Ports
import VAST

/// Yospace: saved answers (PRV-30, PRV-31). Its live breaks have no times; records in the media place them, which
/// ``YospaceQueue`` does.
package enum Yospace: SavedAnswerReader, RecognisableService {
    package static let name = "yospace"

    package static let summary = ProviderSummary(
        title: "Yospace", recognition: "a tag EXT-X-YOSPACE-ANALYTICS-URL in the playlist; no sessions yet",
        supports: ["saved answers only: breaks of live streams without their places, and those of recorded programmes"])

    package static func place(of url: WebURL) -> ServicePlace? {
        url.path.contains("/csm/") && url.text.contains(";jsessionid=") ? ServicePlace() : nil
    }

    package static func isNamed(in text: String) -> Bool { text.contains("#EXT-X-YOSPACE-ANALYTICS-URL") }

    package static func saved(_ bytes: [UInt8]) throws(MetadataProblem) -> SavedAnswer {
        let isProgramme = VASTReader.read(bytes).xml.tree?.extensionElement("Stream", in: XMLTree.root) != nil
        var answer = try YospaceDocument.read(bytes, isProgramme ? .programme(nil) : .records).answer
        guard !isProgramme else { return SavedAnswer(answer, nextMethod: nil) }
        for index in answer.breaks.indices {
            for ad in answer.breaks[index].ads.indices { answer.breaks[index].ads[ad].isPlanned = true }
        }
        return SavedAnswer(answer)
    }
}
