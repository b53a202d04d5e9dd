import AdTracking
import VAST

extension CreativeView.Media {
    /// All files of a linear creative, best first, each with the reason why it was chosen or not.
    static func all(of linear: VASTDocument.Linear, _ selection: MediaSelection?) -> [Self] {
        var files = linear.mediaFiles.enumerated().map { index, file in
            let verdict = selection.flatMap { $0.verdicts.indices.contains(index) ? $0.verdicts[index] : nil }
            var media = Self(.media, file, reason: verdict?.explanation ?? "not evaluated")
            media.isChosen = verdict == .chosen
            return media
        }
        files += linear.mezzanines.map { Self(.mezzanine, $0, reason: "source file for stitching") }
        files += linear.interactiveFiles.map { file in
            var media = Self(kind: .interactive, url: file.url, reason: "executable code: listed, never run")
            media.type = file.type
            return media
        }
        files += linear.closedCaptions.map { caption in
            var media = Self(kind: .captions, url: caption.url, reason: caption.language ?? "no language")
            media.type = caption.type
            return media
        }
        return files
    }

    private init(_ kind: Kind, _ file: VASTDocument.MediaFile, reason: String) {
        self.init(kind: kind, url: file.url, reason: reason)
        type = file.type
        delivery = file.delivery
        codec = file.codec
        width = file.width
        height = file.height
        bitrate = file.bitrate ?? file.maximumBitrate
    }
}

extension CreativeView.Companion {
    init(_ companion: VASTDocument.Companion, required: String?) {
        self.init(width: companion.width, height: companion.height)
        id = companion.id
        slot = companion.adSlotID
        self.required = required
        renderingMode = companion.renderingMode
        resources = companion.resources.facts
        clickThrough = companion.clickThrough?.url
    }
}

extension CreativeView.Icon {
    init(_ icon: VASTDocument.Icon) {
        self.init(program: icon.program)
        width = icon.width
        height = icon.height
        let place = [icon.xPosition, icon.yPosition].compactMap { $0 }
        position = place.isEmpty ? nil : place.joined(separator: " ")
        resources = icon.resources.facts
        clickThrough = icon.clickThrough?.url
    }
}

extension CreativeView.Verification {
    init(_ verification: VASTDocument.Verification) {
        self.init(vendor: verification.vendor)
        parameters = verification.parameters.map { String($0.prefix(CreativeView.longestValue)) }
        resources = verification.resources.map { resource in
            CreativeView.Fact(
                [resource.kind.rawValue, resource.apiFramework].compactMap { $0 }.joined(separator: " "), resource.url)
        }
    }
}

extension VASTDocument.Resources {
    /// Addresses and markup by kind.
    fileprivate var facts: [CreativeView.Fact] {
        statics.map { resource in
            CreativeView.Fact(
                ["static", resource.creativeType].compactMap { $0 }.joined(separator: " "), resource.url)
        }
            + iFrames.map { CreativeView.Fact("iframe", $0.url) }
            + html.map { CreativeView.Fact("html", String($0.prefix(CreativeView.longestValue))) }
    }
}
