import AdFormats
import Ports
import Session

/// Reads the ad spaces of the settings.
enum SlotText {
    /// The address of an ad server.
    static func address(_ text: String) throws(SettingProblem) -> WebURL {
        do throws(WebURLProblem) {
            return try WebURL(text)
        } catch {
            throw SettingProblem(error.explanation)
        }
    }

    /// One ad space on each line: `NAME=TYPE:ZONE[:SIZE][@PLUGIN]`.
    static func slots(_ text: String) throws(SettingProblem) -> [FormatsConfiguration.Slot] {
        var slots: [FormatsConfiguration.Slot] = []
        for line in text.split(separator: "\n") {
            let slot = try slot(line)
            guard !slots.contains(where: { $0.name == slot.name }) else {
                throw SettingProblem("has the name '\(slot.name)' twice")
            }
            slots.append(slot)
        }
        guard slots.count <= FormatsConfiguration.maximumSlots else {
            throw SettingProblem("has more than \(FormatsConfiguration.maximumSlots) ad spaces")
        }
        return slots
    }

    private static func slot(_ line: Substring) throws(SettingProblem) -> FormatsConfiguration.Slot {
        let pair = line.split(separator: "=", maxSplits: 1)
        guard pair.count == 2 else { throw wrong }
        // The plugin comes last; a zone or size may contain an @ before it.
        let at = pair[1].lastIndex(of: "@")
        let plugin = at.map { String(pair[1][pair[1].index(after: $0)...]) }
        let parts = pair[1][..<(at ?? pair[1].endIndex)].split(separator: ":")
        guard (2...3).contains(parts.count), plugin != "" else { throw wrong }
        let isScreenBanner = parts[0] == AdPlacementKind.screenBanner.rawValue
        guard let format = isScreenBanner ? .banner : AdFormat(rawValue: String(parts[0])) else { throw wrong }
        return FormatsConfiguration.Slot(
            name: String(pair[0]), unit: String(parts[1]), format: format,
            sizeName: parts.count == 3 ? String(parts[2]) : nil, placement: isScreenBanner ? .screenBanner : nil,
            plugin: plugin)
    }

    /// No word has an `@` behind a colon: in an error it would be masked as a password is.
    private static var wrong: SettingProblem {
        SettingProblem(
            "is not NAME=TYPE:ZONE[:SIZE], then @PLUGIN if wanted, with a type of banner, screenBanner, interstitial, rewarded or native"
        )
    }

    /// Ad spaces at the embedded origin: every format, and a banner that fails sometimes.
    static let demo: [FormatsConfiguration.Slot] = [
        FormatsConfiguration.Slot(name: "inline-1", unit: "banner-1", format: .banner),
        FormatsConfiguration.Slot(name: "inline-2", unit: "banner-2", format: .banner, sizeName: "BOX_BANNER"),
        FormatsConfiguration.Slot(name: "footer", unit: "banner-flaky", format: .banner, placement: .screenBanner),
        FormatsConfiguration.Slot(name: "page", unit: "interstitial-1", format: .interstitial),
        FormatsConfiguration.Slot(name: "overlay", unit: "rewarded-1", format: .rewarded),
        FormatsConfiguration.Slot(name: "feed-3", unit: "native-1", format: .native),
    ]
}
