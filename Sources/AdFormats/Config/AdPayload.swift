package import Ports

/// What a provider answered a load with, before anybody reads it.
package struct AdPayload: Sendable, Hashable {
    /// Of an answer to an ad call, or of a plugin's.
    package static let maximumBytes = 2 << 20

    package var body: [UInt8]
    package var contentType: String?
    /// Header fields, where the refresh rate is looked for.
    package var fields: [HTTPField]
    /// Seconds between two loads of a banner, where the provider says so itself.
    package var refreshSeconds: Int64?
    /// Where it came from: what relative addresses are relative to.
    package var url: String?
    /// Said by the provider; nil leaves it to the slot.
    package var size: PixelSize?
    /// The markup is at an address, and this is the address: nothing is fetched for it.
    package var isAddress = false
    /// Something odd about the answer that did not stop it, one clause.
    package var remark: String?
    /// Reward settings of the bid the ad came with (`rwdd`, FMT-19).
    package var rewardRules: JSONValue?
    /// The request for native assets, where one was made: it says which assets are required.
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

    package var text: String { String(decoding: body, as: UTF8.self) }
}
