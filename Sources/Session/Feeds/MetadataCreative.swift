import AdTracking
import Ports

extension CreativeView {
    /// The view of an ad that metadata describes; nil when metadata contains only its events.
    init?(_ ad: Ad) {
        self.init()
        companions = ad.companions.map(Companion.init)
        icons = ad.icons.map(Icon.init)
        verifications = ad.verifications.map(Verification.init)
        facts = ad.extras.members.compactMap { member in
            Fact(member.name, readable: member.value)
        }
        guard !companions.isEmpty || !icons.isEmpty || !verifications.isEmpty || !facts.isEmpty else { return nil }
    }
}

extension CreativeView.Fact {
    /// A member of the metadata as text; nil when it has no readable value.
    fileprivate init?(_ name: String, readable value: JSONValue) {
        let text = value.stringValue ?? value.text()
        guard !text.isEmpty, value != .null else { return nil }
        self.init(name, String(text.prefix(CreativeView.longestValue)))
    }

    fileprivate init?(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return nil }
        self.init(name, String(value.prefix(CreativeView.longestValue)))
    }
}

extension CreativeView {
    /// Longer values are cut: these fields sometimes contain base64 or whole documents.
    static let longestValue = 2_000
}

extension CreativeView.Companion {
    fileprivate init(_ companion: Companion) {
        self.init(width: companion.width, height: companion.height)
        id = companion.attributes["id"]?.stringValue
        slot = companion.attributes["adSlotId"]?.stringValue
        required = companion.required
        renderingMode = companion.attributes["renderingMode"]?.stringValue
        clickThrough = companion.extras["companionClickThrough"]?.stringValue
        resources = companion.extras.members.compactMap { member in
            member.name == "companionClickThrough" ? nil : CreativeView.Fact(member.name, readable: member.value)
        }
    }
}

extension CreativeView.Icon {
    fileprivate init(_ icon: Icon) {
        self.init(program: icon.program)
        width = icon.attributes["width"].flatMap(Self.number)
        height = icon.attributes["height"].flatMap(Self.number)
        let place = ["xPosition", "yPosition"].compactMap { icon.attributes[$0]?.stringValue }
        position = place.isEmpty ? nil : place.joined(separator: " ")
        resources = CreativeView.Fact("image", icon.imageURI).map { [$0] } ?? []
        clickThrough = icon.clickThrough
    }

    /// Some servers write numbers as text.
    private static func number(_ value: JSONValue) -> Int? {
        value.integerValue.flatMap { Int(exactly: $0) } ?? value.stringValue.flatMap { Int($0) }
    }
}

extension CreativeView.Verification {
    fileprivate init(_ verification: Verification) {
        self.init(vendor: verification.vendor)
        parameters = verification.parameters.map { String($0.prefix(CreativeView.longestValue)) }
        let all = [("javascript", verification.javaScript), ("executable", verification.executable)]
        resources = all.compactMap { kind, resource in
            let name = [kind, resource?.apiFramework].compactMap { $0 }.joined(separator: " ")
            return CreativeView.Fact(name, resource?.uri)
        }
    }
}
