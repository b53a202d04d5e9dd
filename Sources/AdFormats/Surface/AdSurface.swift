/// The value layer of a banner or interstitial: markup, or the address of some (FMT-14).
package enum SurfaceValue: Sendable, Hashable {
    case html(String)
    case url(String)
}

/// What a host shows of a banner or interstitial: a terminal runs no markup, so it is the text in it, its links and what it
/// would load.
package struct AdSurface: Sendable, Hashable {
    package var value: SurfaceValue
    /// Natural size; nil when nobody said.
    package var size: PixelSize?
    /// The readable text, tags left out, links numbered as `[1]`.
    package var lines: [String]
    /// Where links lead, by number.
    package var links: [String]
    /// Addresses outside that the markup would load: images, scripts, frames.
    package var externals: [String]
    /// Bytes of the markup; 0 for an address.
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

    /// Where a click leads: the first link.
    package var clickThrough: String? { links.first }
}
