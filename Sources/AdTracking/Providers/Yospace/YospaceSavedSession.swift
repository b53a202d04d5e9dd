import Ports
import VAST

/// Saved answers of one session. Records in the media place the breaks of a live stream, and there are none here: its breaks wait in the
/// queue, one that comes again is known there, and one that was missed is only reported (PRV-31).
struct YospaceSavedSession: SavedSession {
    private var queue = YospaceQueue()
    /// The breaks of a recorded programme, and all findings.
    private var listing = Listing()

    var breaks: [ListedBreak] { listing.breaks + queue.pending.map(\.endToEnd) }
    var findings: [Finding] { listing.findings }

    mutating func add(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer {
        let tree = VASTReader.read(bytes, charset: charset).xml.tree
        if let tree, let stream = tree.extensionElement("Stream", in: XMLTree.root) {
            let length = YospaceSession.length(of: stream, in: tree)
            let answer = try YospaceDocument.read(bytes, charset: charset, .programme(length)).answer
            listing.add(answer)
            return SavedAnswer(answer, nextMethod: nil)
        }
        var answer = try YospaceDocument.read(bytes, charset: charset, .records).answer
        // What a missed break reports is due where a viewer is, and there is none.
        _ = queue.add(answer)
        for finding in queue.takeFindings() { listing.note(finding) }
        answer.breaks = answer.breaks.map(\.endToEnd)
        return SavedAnswer(answer)
    }
}

extension ListedBreak {
    /// A break without a place, whose ads are expected end to end (PRV-33).
    fileprivate var endToEnd: ListedBreak {
        var adBreak = self
        var cursor = start
        for index in adBreak.ads.indices {
            adBreak.ads[index].isPlanned = true
            adBreak.ads[index].start = cursor
            if adBreak.ads[index].isLinear { cursor = adBreak.ads[index].end ?? cursor }
        }
        return adBreak
    }
}
