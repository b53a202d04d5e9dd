package import Ports
import VAST

/// The notices of an auction (OpenRTB 2.6 `nurl`, `burl`, `lurl`), macros filled.
package struct AdNotices: Sendable, Hashable {
    /// Names of the reports: those of OpenRTB.
    package enum Name {
        package static let win = "nurl"
        package static let billing = "burl"
        package static let loss = "lurl"
    }

    /// Due when the ad is loaded.
    package var win: [String] = []
    /// Due when the ad was displayed, which is billable.
    package var billing: [String] = []
    /// Those of the bids that lost, due when the ad is loaded.
    package var loss: [String] = []

    package init() {}
}

/// The answer of a provider to a load, unparsed.
package struct AdPayload: Sendable, Hashable {
    /// Most bytes in the answer to an ad call, or in that of a plugin.
    package static let maximumBytes = 2 << 20

    package var body: [UInt8]
    package var contentType: String?
    /// Header fields; one may contain the refresh rate.
    package var fields: [HTTPField]
    /// Seconds between two loads of a banner, if the provider states them.
    package var refreshSeconds: Int64?
    /// URL of the answer: the base of relative URLs.
    package var url: String?
    /// Size that the provider states; nil means that of the slot.
    package var size: PixelSize?
    /// Whether the content is the URL of the markup, which is not fetched.
    package var isAddress = false
    /// A problem with the answer that does not prevent its use, as a clause.
    package var remark: String?
    /// Reward settings of the bid that contained the ad (`rwdd`, FMT-19).
    package var rewardRules: JSONValue?
    /// The notices of the auction that the ad won.
    package var notices = AdNotices()
    /// The request for native assets, if there was one: it states which assets are required.
    package var nativeRequest: JSONValue?

    package init(
        body: [UInt8], contentType: String? = nil, fields: [HTTPField] = [], url: String? = nil, size: PixelSize? = nil
    ) {
        self.body = body
        self.contentType = contentType
        self.fields = fields
        self.url = url
        self.size = size
    }

    /// Encoding of a document that the content type names.
    package var charset: String? { HTTPExchange.charset(of: contentType) }

    package var text: String { String(decoding: body, as: UTF8.self) }
}
