import AdFormats
import Monitoring
import Ports

/// Ad spaces as settings have them.
enum SlotText {
    /// The address of an ad server.
    static func address(_ text: String) throws(SettingProblem) -> WebURL {
        do throws(WebURLProblem) {
            return try WebURL(text)
        } catch {
            throw SettingProblem(error.explanation)
        }
    }

    /// One a line: `NAME=TYPE:ZONE` or `NAME=TYPE:ZONE:SIZE`.
    static func slots(_ text: String) throws(SettingProblem) -> [FormatsConfiguration.Slot] {
        var slots: [FormatsConfiguration.Slot] = []
        for line in text.split(separator: "\n") {
            let pair = line.split(separator: "=", maxSplits: 1)
            let parts = pair.count == 2 ? pair[1].split(separator: ":") : []
            guard (2...3).contains(parts.count), let format = AdFormat(rawValue: String(parts[0])) else {
                throw SettingProblem("is not NAME=TYPE:ZONE with a type of banner, interstitial, rewarded or native")
            }
            let name = String(pair[0])
            guard !slots.contains(where: { $0.name == name }) else { throw SettingProblem("names '\(name)' twice") }
            slots.append(
                FormatsConfiguration.Slot(
                    name: name, unit: String(parts[1]), format: format,
                    sizeName: parts.count == 3 ? String(parts[2]) : nil))
        }
        guard slots.count <= FormatsConfiguration.maximumSlots else {
            throw SettingProblem("has more than \(FormatsConfiguration.maximumSlots) ad spaces")
        }
        return slots
    }

    /// Ad spaces at the embedded origin: every format, and a banner that fails now and then.
    static let demo: [FormatsConfiguration.Slot] = [
        FormatsConfiguration.Slot(name: "inline-1", unit: "banner-1", format: .banner),
        FormatsConfiguration.Slot(name: "inline-2", unit: "banner-2", format: .banner, sizeName: "BOX_BANNER"),
        FormatsConfiguration.Slot(name: "footer", unit: "banner-flaky", format: .banner),
        FormatsConfiguration.Slot(name: "page", unit: "interstitial-1", format: .interstitial),
        FormatsConfiguration.Slot(name: "overlay", unit: "rewarded-1", format: .rewarded),
        FormatsConfiguration.Slot(name: "feed-3", unit: "native-1", format: .native),
    ]
}
