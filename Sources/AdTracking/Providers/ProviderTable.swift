package import Ports
import VAST

/// All dialects of ad metadata.
package enum ProviderTable: ReportAddresses {
    /// In the order in which they are asked whether a stream is theirs, that of ``atAddresses`` (PRV-41); one that accepts every stream is the
    /// last.
    package static let providers: [any AdMetadataProvider.Type] = [
        MediaTailorProvider.self, DAIProvider.self, UplynkProvider.self, BroadpeakProvider.self,
        YospaceProvider.self, PrimetimeProvider.self, VMAPProvider.self, HarmonicProvider.self,
    ]

    /// All whose saved answers can be read: the providers, and what any stitched stream may carry.
    package static let readers: [any SavedAnswerReader.Type] = providers + [Signaling.self]

    /// The first reader that finds breaks in an answer.
    /// - Parameters:
    ///   - charset: encoding that the transport names.
    ///   - name: the one that is known not to.
    ///   - mayBeEmpty: whether a document of a common form is enough, also one without breaks.
    package static func reader(
        of answer: [UInt8], charset: String? = nil, except name: String, mayBeEmpty: Bool = false
    ) -> (any SavedAnswerReader.Type)? {
        // A document of a common form is read by several.
        let head = DecodedText(Array(answer.prefix(searched)), charset: charset)
        let text = String(decoding: head.bytes, as: UTF8.self)
        let common = namedInDocuments.first { $0.isNamed(in: text) }?.name
        return readers.first { reader in
            guard reader.name != name, common == nil || reader.name == common else { return false }
            // The question is whether any reader knows it, so the error does not matter.
            guard let listed = (try? reader.saved(answer, charset: charset))?.listed else { return false }
            return !listed.breaks.isEmpty || mayBeEmpty && common != nil
        }
    }

    /// The first other reader that finds breaks in an answer in which that provider finds none. Its own breaks may be without a place yet, as
    /// live ones of Yospace are, whose answers VMAP readers read too.
    package static func otherReader(
        of answer: [UInt8], charset: String? = nil, than name: String
    ) -> (any SavedAnswerReader.Type)? {
        // The question is whether it can read the answer, so the error does not matter.
        let own = try? readers.first { $0.name == name }?.saved(answer, charset: charset)
        guard own?.listed.breaks.isEmpty != false else { return nil }
        return reader(of: answer, charset: charset, except: name)
    }

    /// Bytes of a document in which its root is looked for.
    private static let searched = 4 << 10

    /// Services that playlists name, the surest first; what any stitched stream may carry is the last.
    static let namedInPlaylists: [any RecognisableService.Type] = [
        YospaceProvider.self, Uplynk.self, MediaTailorProvider.self, Signaling.self,
    ]
    /// Services with addresses of their own.
    static let atAddresses: [any RecognisableService.Type] = [
        MediaTailorProvider.self, DAIProvider.self, Uplynk.self, Broadpeak.self, YospaceProvider.self,
        Primetime.self,
    ]
    /// Services whose documents are of a common form.
    static let namedInDocuments: [any RecognisableService.Type] = [VMAPPolls.self]

    /// Whether the request of an address is itself the report of an ad, whichever service the session is of: such an address is not
    /// requested to look at what is behind it, also where a redirect leads there (PRV-14, PRV-43).
    package static func isReport(_ url: WebURL) -> Bool {
        atAddresses.contains { service in
            guard let role = service.place(of: url)?.role else { return false }
            return role == .segment || role == .ping
        }
    }
}

/// Which provider a session has.
package struct ProviderSetting: Hashable, Sendable, RawRepresentable, CaseIterable, Codable {
    /// The first provider of ``ProviderTable`` that recognises the stream, and a plain stream if that finds no metadata.
    package static let auto = ProviderSetting(name: "auto")
    /// A plain stream: no session is opened, no metadata requested.
    package static let none = ProviderSetting(name: "none")

    /// The choices in the order in which users read them.
    package static let allCases = [auto] + ProviderTable.providers.map { ProviderSetting($0) } + [none]

    /// All choices as words, with `or` before the last.
    package static var choices: String {
        let names = allCases.map(\.rawValue)
        return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    }

    /// `auto`, `none` or the name of a provider.
    package let rawValue: String

    package init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    package init(_ provider: any AdMetadataProvider.Type) {
        self.init(name: provider.name)
    }

    private init(name: String) {
        rawValue = name
    }

    /// The provider for a session at this address; nil for a plain stream.
    package func provider(for mediaURL: WebURL) -> (any AdMetadataProvider.Type)? {
        ProviderTable.providers.first { self == .auto ? $0.recognises(mediaURL) : $0.name == rawValue }
    }

    /// Why no session can be followed from this address of tracking data alone, as a clause; nil if one can (PRV-48).
    package func attachProblem(of url: WebURL) -> String? {
        guard let provider = provider(for: url) else { return "needs a provider, and --provider none is none" }
        guard case .problem(let problem) = provider.attached(to: url) else { return nil }
        return "(\(provider.summary.title)) \(problem)"
    }
}
