package import Ports

/// One answer with tracking data (PRV-19, PRV-22 to PRV-25).
package struct MediaTailorDocument: Hashable, Sendable {
    /// Breaks on the seconds of the session.
    package var answer: ListedAnswer
    /// The newest token; nil without one.
    package var token: String?
    /// The date of second 0; DASH only.
    package var zero: UnixTime?

    /// Reads the bytes of an answer.
    /// - Throws: when it is no tracking data.
    package static func read(_ bytes: [UInt8], _ mode: MediaTailorMode) throws(MetadataProblem) -> MediaTailorDocument {
        try read(try MetadataProblem.json(bytes), mode)
    }

    /// Reads an answer.
    /// - Throws: when it is no tracking data.
    package static func read(_ value: JSONValue, _ mode: MediaTailorMode) throws(MetadataProblem) -> MediaTailorDocument
    {
        guard let root = MediaTailorMembers(value) else { throw .noObject(value) }
        guard root.names("avails") || root.names("nonlinearavails") else {
            throw .lacking("is JSON without 'avails': it is no tracking data of this service", in: value)
        }
        var reader = MediaTailorReader(mode: mode)
        reader.readAvails(root["avails"], isLinear: true)
        reader.readAvails(root["nonlinearavails"], isLinear: false)
        return MediaTailorDocument(
            answer: reader.answer, token: root.text("nexttoken"),
            zero: ListedTime.date(root["dashavailabilitystarttime"]))
    }

    /// The section TRACKING of an asset list, one document or several; nil without one. Its earliest second is the start of the
    /// date range (PRV-26).
    package static func read(
        assetList: JSONValue, start: UnixTime, _ mode: MediaTailorMode
    ) throws(MetadataProblem) -> MediaTailorDocument? {
        guard let section = MediaTailorMembers(assetList)?["tracking"] else { return nil }
        let parts = section.arrayValue ?? [section]
        let avails = parts.flatMap { MediaTailorMembers($0)?.list("avails") ?? [] }
        let overlays = parts.flatMap { MediaTailorMembers($0)?.list("nonlinearavails") ?? [] }
        var document = try read(["avails": .array(avails), "nonLinearAvails": .array(overlays)], mode)
        document.zero = document.answer.breaks.map(\.start).min().map { start - $0.asSeconds }
        return document
    }
}
