package import Ports

/// What shows whose a stream is (PRV-41): its address and the playlist or document behind it, without any further request.
package protocol RecognisableService: Sendable {
    /// As in settings.
    static var name: String { get }
    /// The service's own name.
    static var title: String { get }

    /// False for what any stitched stream may carry, below its provider.
    static var hasSessions: Bool { get }

    /// What an address of the service is for; nil where nothing in it is the service's own.
    static func place(of url: WebURL) -> ServicePlace?
    /// Whether a playlist or document names the service.
    static func isNamed(in text: String) -> Bool
}

extension RecognisableService {
    package static var hasSessions: Bool { true }
    package static func place(of url: WebURL) -> ServicePlace? { nil }
    package static func isNamed(in text: String) -> Bool { false }
}

extension RecognisableService where Self: SavedAnswerReader {
    package static var title: String { summary.title }
}

extension RecognisableService where Self: PolledDialect {
    package static var title: String { summary.title }
    package static func place(of url: WebURL) -> ServicePlace? { recognises(url) ? ServicePlace() : nil }
}

/// An address of a service.
package struct ServicePlace: Hashable, Sendable {
    /// What is behind an address. Raw values are the words of the reports.
    package enum Role: String, Hashable, Sendable {
        /// Starts a session.
        case opening = "init"
        case multivariant, media, tracking
        /// An ad segment: where its request is the report, it is never requested.
        case segment
        /// A request that is itself a beacon.
        case ping
        /// Known by its query or host alone.
        case unknown
    }

    package var role: Role
    /// Where the tracking data of the session is; nil where the address does not show that.
    package var tracking: WebURL?

    package init(_ role: Role = .unknown, tracking: WebURL? = nil) {
        (self.role, self.tracking) = (role, tracking)
    }
}

/// Whose a stream is.
package struct Recognition: Hashable, Sendable {
    package let name: String
    package let title: String
    /// Whether the playlist or document shows it, which is surer than an address.
    package let isByText: Bool
    /// What the address is for, if it is the service's own.
    package let place: ServicePlace?

    /// Whether the service opens sessions, unlike what any stitched stream may carry.
    package let hasSessions: Bool

    /// Texts are searched to here: tags of a service are at the start of a playlist or at its first segment.
    private static let searched = 64 << 10

    /// - Parameter text: what is behind the address; nil while that is unknown.
    package init?(of url: WebURL, text: [UInt8]?) {
        let text = text.map { String(decoding: $0.prefix(Self.searched), as: UTF8.self) }
        let (first, byAddress, last) = (
            ProviderTable.namedInPlaylists, ProviderTable.atAddresses, ProviderTable.namedInDocuments
        )
        let named = text.flatMap { text in first.first { $0.isNamed(in: text) } }
        let located = byAddress.first { $0.place(of: url) != nil }
        let namedLast = text.flatMap { text in last.first { $0.isNamed(in: text) } }
        guard let found = named ?? located ?? namedLast else { return nil }
        self.init(found, isByText: named != nil || located == nil, place: found.place(of: url))
    }

    private init(_ service: any RecognisableService.Type, isByText: Bool, place: ServicePlace?) {
        (name, title, hasSessions) = (service.name, service.title, service.hasSessions)
        (self.isByText, self.place) = (isByText, place)
    }
}
