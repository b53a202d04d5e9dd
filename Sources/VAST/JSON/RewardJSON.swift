package import Ports

extension VASTDocument.Ad {
    /// The reward and the end card of the ad, in addition to the document's own schema; nil when it has neither.
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
    /// The values of the extension, and whether it grants a reward.
    package var json: JSONValue {
        [
            "on": .bool(isOn), "grants": .bool(isGranting), "currency": .optional(currency),
            "amount": .optional(amount), "image": .optional(imageURL), "pre_roll_message": .bool(showsPreRollMessage),
            "post_roll_message": .bool(showsPostRollMessage), "warnings": .texts(warnings.map(\.rawValue)),
        ]
    }
}

extension EndCard {
    /// The kind of end card, its content, and the companion it belongs to.
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
