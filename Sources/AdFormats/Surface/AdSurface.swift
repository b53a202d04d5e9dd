/// The content of a banner or interstitial: markup, or the URL of markup (FMT-14).
package enum SurfaceValue: Sendable, Hashable {
    case html(String)
    case url(String)
}

/// The displayed form of a banner or interstitial: a terminal renders no markup, so it shows the text, the links and
/// the resources that the markup would load.
package struct AdSurface: Sendable, Hashable {
    package var value: SurfaceValue
    /// Natural size; nil when unknown.
    package var size: PixelSize?
    /// The readable text without tags, with links numbered as `[1]`.
    package var lines: [String]
    /// URLs of the links, by number.
    package var links: [String]
    /// External URLs that the markup would load: images, scripts, frames.
    package var externals: [String]
    /// Bytes of the markup; 0 for a URL.
    package var byteCount: Int
    package var mraid: MRAIDLint

    package init(_ value: SurfaceValue, size: PixelSize?) {
        self.value = value
        self.size = size
        switch value {
        case .html(let markup):
            let text = MarkupText(markup)
            (lines, links, externals) = (text.lines, text.links, text.externals)
            byteCount = markup.utf8.count
            mraid = MRAIDLint(markup)
        case .url(let url):
            (lines, links, externals) = (["markup at \(url)"], [], [url])
            byteCount = 0
            mraid = MRAIDLint("")
        }
    }

    /// The landing page of a click: the first link.
    package var clickThrough: String? { links.first }
}
