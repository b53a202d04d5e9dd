package import Ports

extension VASTDocument.Ad {
    /// What the ad gives for watching and what it ends with, beside the document's own schema; nil when it has neither.
    var extrasJSON: JSONValue? {
        let rewarded = RewardedVideo(in: extensions)
        let companions = creatives.compactMap(\.companionAds).flatMap(\.companions)
        let screen = PlayerProfile.television
        let endCard = EndCard(from: companions, screenWidth: screen.width, screenHeight: screen.height)
        guard rewarded != nil || endCard != nil else { return nil }
        return [
            "ad": .optional(id), "rewarded": .optional(rewarded, \.json),
            "end_card": .optional(endCard, \.json),
        ]
    }
}

extension RewardedVideo {
    /// The extension's values, and whether they grant anything.
    package var json: JSONValue {
        [
            "on": .bool(isOn), "grants": .bool(isGranting), "currency": .optional(currency),
            "amount": .optional(amount), "image": .optional(imageURL), "pre_roll_message": .bool(showsPreRollMessage),
            "post_roll_message": .bool(showsPostRollMessage), "warnings": .texts(warnings.map(\.rawValue)),
        ]
    }
}

extension EndCard {
    /// The kind of card, what it shows, and whose companion it is.
    package var json: JSONValue {
        let (kind, text, type): (String, String, String?) =
            switch content {
            case .html(let markup): ("html", markup, nil)
            case .frame(let url): ("iframe", url, nil)
            case .image(let url, let type): ("image", url, type)
            }
        return [
            "kind": .string(kind), "content": .string(text), "type": .optional(type),
            "companion": .optional(companion.id), "width": .optional(companion.width),
            "height": .optional(companion.height), "click_through": .optional(companion.clickThrough?.url),
            "click_tracking": .urls(companion.clickTracking),
            "creative_view": .texts(
                companion.tracking.filter { $0.event == EventName.creativeView.rawValue }.map(\.url)),
        ]
    }
}
