import Ports

/// Saved pages of one session: each follows the token of the one before it (PRV-18), and the date of second 0 is that of all (PRV-20).
struct MediaTailorSavedSession: SavedSession {
    private var pages = MediaTailorPages(usesTokens: true)
    private var clock = MediaTailorClock()
    private var listing = Listing()

    var breaks: [ListedBreak] { listing.breaks }
    var placement: ListedPlacement { clock.placement(on: nil) }
    var findings: [Finding] { listing.findings }

    mutating func add(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer {
        let document = try MediaTailorDocument.read(bytes, .client)
        listing.add(document.answer)
        for finding in [pages.arrived(token: document.token, at: .zero), clock.anchored(document.zero)] {
            if let finding { listing.note(finding) }
        }
        // When the answers arrived is not known: their tokens count as young.
        return SavedAnswer(document.answer, nextMethod: .post, nextBody: pages.body(at: .zero))
    }
}
