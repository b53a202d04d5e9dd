import Ports

/// The `RewardedVideo` extension: the reward that a viewer gets for watching (FMT-20).
package struct RewardedVideo: Hashable, Sendable {
    package enum Warning: String, Hashable, Sendable {
        case missingCurrency, missingAmount, fractionalReward
    }

    /// When false, the values are kept but no reward is granted.
    package var isOn = false
    /// Unit of the reward, for example `Lives`; nil when missing.
    package var currency: String?
    /// Above 0; nil when missing.
    package var amount: Int?
    /// The amount as written, trimmed; nil when there is no text.
    package var amountText: String?
    /// Absolute http or https URL of a picture.
    package var imageURL: String?
    package var showsPreRollMessage = false
    package var showsPostRollMessage = false
    package var warnings: [Warning] = []

    /// Whether a reward is granted.
    package var isGranting: Bool { isOn && currency != nil && amount != nil }

    /// Messages that the player shows over the video before it ends (FMT-20).
    package var messagesBefore: [String] {
        guard isGranting, showsPreRollMessage, let amount, let currency else { return [] }
        return ["WATCH NOW", "Watch to earn \(amount) \(currency)"]
    }

    /// Messages that it shows after the end.
    package var messagesAfter: [String] {
        guard isGranting, showsPostRollMessage, let amount, let currency else { return [] }
        return ["You earned \(amount) \(currency)"]
    }

    /// Reads the first extension of type or name `RewardedVideo`, in any case; nil when there is none.
    package init?(in extensions: [VASTDocument.Extension]) {
        let found = extensions.first { entry in
            let name = entry.attributes.first { $0.name == "name" }?.value
            return [entry.type, name].contains { $0?.lowercased() == "rewardedvideo" }
        }
        guard let found, let tree = XMLReader.read(Array(found.rawXML.utf8)).tree else { return nil }
        for node in tree.children(XMLTree.root) { read(tree.name(node), tree.text(node)) }
        if currency == nil { warnings.append(.missingCurrency) }
        if amount == nil { warnings.append(.missingAmount) }
    }

    private mutating func read(_ name: String, _ text: String) {
        switch name {
        case "RewardedVideoOn": isOn = text == "1"
        case "VirtualCurrency": currency = text.isEmpty ? nil : text
        case "RewardPerView":
            // Decimal, not binary, so that 12.000000 is exactly 12 (FMT-20).
            amountText = text.isEmpty ? nil : text
            let number = ExactDecimal(text)
            amount = number.flatMap { Int(exactly: $0.truncated) }.flatMap { $0 > 0 ? $0 : nil }
            if let number, !number.isWhole { warnings.append(.fractionalReward) }
        case "VirtualCurrencyImage": imageURL = MediaSelection.isWeb(text) ? text : nil
        case "PreRollMessageOn": showsPreRollMessage = text == "1"
        case "PostRollMessageOn": showsPostRollMessage = text == "1"
        default: break
        }
    }
}
