import Ports

/// How a player uses a linear creative and its companions, each choice with its reason (VAST-16). Computed without any
/// request and without running code.
package struct CreativeChoice: Hashable, Sendable {
    /// A part of the creative, whether the player uses it and why.
    package struct Offer: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case mezzanine, interactive, captions, icon, verification
        }

        package var kind: Kind
        /// The type, program, language or vendor.
        package var name: String?
        package var url: String?
        package var isUsed: Bool
        /// The reason as one clause.
        package var reason: String
    }

    package var files: [VASTDocument.MediaFile]
    package var media: MediaSelection
    package var offers: [Offer]
    package var companions: VASTDocument.CompanionAds?
    /// Nil when there are no companions.
    package var placement: CompanionSelection?
    package var endCard: EndCard?

    /// The error that a player reports when it gives up the ad: no playable file, or a required companion without a
    /// slot.
    package var errorCode: Int? {
        if media.chosen == nil { return MediaSelection.nothingPlayableCode }
        return placement?.isRequirementMet == false ? CompanionSelection.requirementCode : nil
    }

    package init(
        of linear: VASTDocument.Linear, in ad: VASTDocument.Ad, for player: PlayerProfile, slots: [CompanionSlot]
    ) {
        files = linear.mediaFiles
        media = MediaSelection(of: linear.mediaFiles, for: player)
        offers =
            linear.mezzanines.map(Self.mezzanine) + linear.interactiveFiles.map(Self.interactive)
            + linear.closedCaptions.map(Self.captions) + Self.icons(linear.icons)
            + ad.verifications.map(Self.verification)
        companions = ad.creatives.lazy.compactMap(\.companionAds).first
        placement = companions.map { CompanionSelection(of: $0, for: slots) }
        endCard = EndCard(
            from: companions?.companions ?? [], screenWidth: player.width, screenHeight: player.height)
    }

    private static func mezzanine(_ file: VASTDocument.MediaFile) -> Offer {
        Offer(
            kind: .mezzanine, name: file.type, url: file.url, isUsed: false,
            reason: "is the source for stitchers and too large to play")
    }

    /// The interactive file comes first, the media file after it (VAST 4.3 section 3.9.3); code is not run here.
    private static func interactive(_ file: VASTDocument.InteractiveFile) -> Offer {
        let framework = file.apiFramework ?? "unknown"
        return Offer(
            kind: .interactive, name: framework, url: file.url, isUsed: false,
            reason: "needs \(framework), which is not run here: error 409, and the media file plays")
    }

    private static func captions(_ file: VASTDocument.ClosedCaption) -> Offer {
        Offer(
            kind: .captions, name: file.language ?? file.type, url: file.url, isUsed: true,
            reason: "is offered to the viewer")
    }

    /// Returns one icon per program (VAST 3.0 section 2.4.3).
    private static func icons(_ icons: [VASTDocument.Icon]) -> [Offer] {
        var programs: Set<String> = []
        return icons.map { icon in
            var offer = Offer(
                kind: .icon, name: icon.program, url: icon.resources.statics.first?.url, isUsed: false,
                reason: "has no resource")
            guard !icon.resources.isEmpty else { return offer }
            let isFirst = icon.program.map { programs.insert($0).inserted } ?? true
            offer.isUsed = isFirst
            offer.reason = isFirst ? icon.showing : "belongs to a program that already has an icon"
            return offer
        }
    }

    /// Outside a browser only resources with browserOptional=true may run (VAST 4.3 section 3.17.1).
    private static func verification(_ verification: VASTDocument.Verification) -> Offer {
        let fitting = verification.resources.first { $0.isBrowserOptional == true || $0.kind == .executable }
        let shown = fitting ?? verification.resources.first
        let reason: String =
            if shown == nil {
                "has no resource to run: verificationNotExecuted with reason 3"
            } else if fitting == nil {
                "runs only in a browser: verificationNotExecuted with reason 2"
            } else {
                "would run \(shown?.apiFramework ?? "its code") before the ad; it is not run here"
            }
        return Offer(kind: .verification, name: verification.vendor, url: shown?.url, isUsed: false, reason: reason)
    }
}

extension VASTDocument.Icon {
    /// When the icon is visible, for display.
    fileprivate var showing: String {
        let start = offsetMilliseconds.map { "from \(Self.seconds($0))" } ?? "from the start"
        let span = durationMilliseconds.map { "for \(Self.seconds($0))" } ?? "to the end of the ad"
        return "shows \(start), \(span)"
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        Duration.milliseconds(milliseconds).text
    }
}
