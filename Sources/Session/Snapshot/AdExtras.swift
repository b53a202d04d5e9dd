import AdTracking
import Ports

/// The fields of an ad beyond its events, as lines of text.
enum AdExtras {
    /// Longer values are cut: these fields sometimes contain base64 or whole documents.
    private static let longestValue = 500

    static func lines(of ad: Ad) -> [ExtraView] {
        var lines: [ExtraView] = []
        func add(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            lines.append(ExtraView(name: name, value: String(value.prefix(longestValue))))
        }
        add("clickTracking", ad.clickTracking)
        for (index, companion) in ad.companions.enumerated() {
            let size = companion.width.flatMap { width in companion.height.map { "\(width)x\($0)" } }
            let resources = JSONValue.object(companion.extras).text()
            add(
                "companion \(index + 1)",
                [size, companion.required, resources].compactMap { $0 }.joined(separator: " "))
        }
        for verification in ad.verifications {
            let resource = verification.javaScript?.uri ?? verification.executable?.uri ?? "no resource"
            add("verification", "\(verification.vendor ?? "?") \(resource)")
        }
        for icon in ad.icons {
            add("icon", [icon.program, icon.imageURI, icon.clickThrough].compactMap { $0 }.joined(separator: " "))
        }
        add("notPlayed", ad.notPlayed?.text)
        add("dateRange", ad.signaled?.text)
        for member in ad.extras.members { add(member.name, member.value.stringValue ?? member.value.text()) }
        return lines
    }
}

extension SignaledAd {
    /// `break r1: ad a1, 2026-11-02T09:00:00.000Z for 15000 ms; not in the metadata`.
    fileprivate var text: String {
        let length = duration > .zero ? "\(duration.inMilliseconds) ms" : "an unknown length"
        let place = "break \(breakName): ad \(name ?? "without id"), \(start.iso8601) for \(length)"
        return place + (isAlone ? "; not in the metadata" : "")
    }
}
