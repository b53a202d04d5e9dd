package import Ports

/// The metadata of a live stream (PRV-45): what the media ids mean, and the ads and breaks that they belong to. It has no times.
/// All answers are united; the newest entry of a key counts.
package struct DAIMetadata: Hashable, Sendable {
    /// Most entries of each kind; the oldest are forgotten.
    package static let tagLimit = 20_000
    package static let adLimit = 5_000
    package static let breakLimit = 1_000
    /// Longest key, in bytes. Each length that occurs is tried for each media id.
    private static let longestKey = 256

    /// What media ids with a certain beginning mean.
    struct Tag: Hashable, Sendable {
        /// Nil where the answer names none.
        var ad: String?
        var adBreak: String?
        var type: String

        init?(_ value: JSONValue) {
            guard value.objectValue != nil else { return nil }
            (ad, adBreak) = (value["ad"]?.identifierText, value["ad_break_id"]?.identifierText)
            type = value["type"]?.stringValue ?? ""
        }
    }

    private(set) var tags = KeyedEntries<Tag>(limit: tagLimit)
    private(set) var ads = KeyedEntries<JSONValue>(limit: adLimit)
    private(set) var breaks = KeyedEntries<JSONValue>(limit: breakLimit)
    /// Lengths of the keys of ``tags``, longest first; few in real streams.
    private var keyLengths: [Int] = []

    package init() {}

    /// Events that only keep the connection alive and are never verified.
    static func isKeepAlive(_ type: String) -> Bool { type.lowercased() == "progress" }

    /// Adds the entries of one answer.
    /// - Throws: when it is no metadata of the service.
    package mutating func add(_ value: JSONValue) throws(MetadataProblem) {
        guard value.objectValue != nil else { throw .noObject(value) }
        let names = ["tags", "ads", "ad_breaks"]
        let lists = names.compactMap { value[$0] }
        guard lists.contains(where: { $0.objectValue != nil }) || !lists.isEmpty && lists.allSatisfy(Self.isNone) else {
            throw .lacking("has neither tags nor ads: it is no metadata of this service", in: value, names: names)
        }
        for (key, entry) in Self.members(value["tags"]) { if let tag = Tag(entry) { tags.note(tag, for: key) } }
        for (key, entry) in Self.members(value["ads"]) where entry.objectValue != nil { ads.note(entry, for: key) }
        for (key, entry) in Self.members(value["ad_breaks"]) where entry.objectValue != nil {
            breaks.note(entry, for: key)
        }
        keyLengths = Set(tags.keys.map(\.utf8.count)).sorted(by: >)
    }

    /// The breaks that an answer has something about.
    static func breaks(in value: JSONValue) -> Set<String> {
        let named = [value["tags"], value["ads"]].flatMap { members($0).map { $0.1["ad_break_id"]?.identifierText } }
        return Set(members(value["ad_breaks"]).map(\.0) + named.compactMap(\.self))
    }

    /// Whether it stands for an object without members: some languages write an empty array, or null.
    private static func isNone(_ value: JSONValue) -> Bool { value == .null || value.arrayValue?.isEmpty == true }

    private static func members(_ value: JSONValue?) -> [(String, JSONValue)] {
        (value?.objectValue?.members ?? []).filter { !$0.name.isEmpty && $0.name.utf8.count <= longestKey }
            .map { ($0.name, $0.value) }
    }

    /// The tag of a media id: that of the longest key with which it begins. Where it names no break, that of its ad counts.
    func tag(of id: String) -> Tag? {
        for length in keyLengths {
            guard let end = id.utf8.index(id.startIndex, offsetBy: length, limitedBy: id.endIndex),
                var tag = tags[String(id[..<end])]
            else { continue }
            tag.adBreak = tag.adBreak ?? tag.ad.flatMap { ads[$0]?["ad_break_id"]?.identifierText }
            return tag
        }
        return nil
    }
}
