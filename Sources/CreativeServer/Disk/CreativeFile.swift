import CreativeCache
import Crypto
import Foundation
import Ports

/// One creative as a file: a JSON line with its metadata, followed by its bytes and those of its bid.
///
/// Every file is self-contained: there is no index that could be damaged or inconsistent, and several programs may
/// write.
enum CreativeFile {
    /// Most bytes of the first line.
    static let maximumHeaderBytes = 32 << 10
    static let suffix = ".creative"
    private static let format: Int64 = 1

    /// The file name is never the id itself, because ids come from outside (CACHE-2).
    static func name(of id: CreativeID) -> String {
        Array(SHA256.hash(data: Array(id.text.utf8))).hexadecimal + suffix
    }

    static func bytes(_ record: CreativeRecord, _ content: CachedCreative.Content) -> [UInt8] {
        let bid = content.bidJSON ?? []
        let header: JSONValue = [
            "adtop-creative": .integer(format), "id": .string(record.id.text), "kind": .string(record.kind.rawValue),
            "contentType": .string(record.contentType), "fallbackUrl": .optional(record.fallbackURL),
            "auction": .optional(record.origin.auction), "bidder": .optional(record.origin.bidder),
            "storedAtMs": .integer(record.storedAt.milliseconds),
            "expiresAtMs": .integer(record.expiresAt.milliseconds), "bodyBytes": .integer(Int64(content.body.count)),
            "bidBytes": .optional(content.bidJSON?.count),
            "sha256": .string(Array(SHA256.hash(data: content.body + bid)).hexadecimal),
        ]
        return Array(header.text().utf8) + [UInt8(ascii: "\n")] + content.body + bid
    }

    /// Parses the first line. `size` is that of the whole file, `name` its file name.
    static func header(_ bytes: [UInt8], size: Int, name: String) throws(Damage) -> Header {
        guard let end = bytes.prefix(maximumHeaderBytes).firstIndex(of: UInt8(ascii: "\n")) else {
            throw Damage(clause: "its first line is incomplete")
        }
        // The JSON error does not matter: the file is unusable.
        guard let json = try? JSONReader.read(Array(bytes[..<end])), json["adtop-creative"]?.integerValue == format,
            let id = json["id"]?.stringValue.flatMap({ CreativeID($0) }), Self.name(of: id) == name,
            let kind = json["kind"]?.stringValue.flatMap(CachedCreative.Kind.init(rawValue:)),
            let type = json["contentType"]?.stringValue, let stored = json["storedAtMs"]?.integerValue,
            let expires = json["expiresAtMs"]?.integerValue, let digest = json["sha256"]?.stringValue,
            let body = json["bodyBytes"]?.integerValue.flatMap(Int.init(exactly:)), body >= 0
        else { throw Damage(clause: "its first line is not a valid header") }
        let bid = json["bidBytes"]?.integerValue.flatMap(Int.init(exactly:))
        let total = (end + 1).addingSaturating(body).addingSaturating(max(0, bid ?? 0))
        guard total == size, (bid ?? 0) >= 0 else { throw Damage(clause: "it has \(size) bytes instead of \(total)") }
        var record = CreativeRecord(
            CachedCreative(
                id: id, kind: kind, contentType: type, fallbackURL: json["fallbackUrl"]?.stringValue,
                origin: CachedCreative.Origin(
                    auction: json["auction"]?.stringValue, bidder: json["bidder"]?.stringValue),
                content: CachedCreative.Content(body: [])),
            storedAt: UnixTime(milliseconds: stored), expiresAt: UnixTime(milliseconds: expires))
        record.byteCount = body + (bid ?? 0)
        return Header(record: record, contentStart: end + 1, bodyBytes: body, bidBytes: bid, digest: digest)
    }

    /// The bytes after the header, if they are those that were written.
    static func content(_ bytes: [UInt8], _ header: Header) throws(Damage) -> CachedCreative.Content {
        let content = bytes[header.contentStart...]
        guard Array(SHA256.hash(data: Array(content))).hexadecimal == header.digest else {
            throw Damage(clause: "its content does not match its checksum")
        }
        return CachedCreative.Content(
            body: Array(content.prefix(header.bodyBytes)),
            bidJSON: header.bidBytes.map { _ in Array(content.dropFirst(header.bodyBytes)) })
    }

    struct Header {
        var record: CreativeRecord
        var contentStart: Int
        var bodyBytes: Int
        var bidBytes: Int?
        var digest: String
    }

    /// Why a file is unusable, as a clause.
    struct Damage: Error {
        var clause: String
    }
}
