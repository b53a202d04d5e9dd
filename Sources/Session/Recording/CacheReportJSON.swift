import CreativeCache
import Ports

/// Reports of the creative cache in the form of recordings.
enum CacheReportJSON {
    static func value(of report: CacheReport) -> JSONValue { report.json }

    static func report(from fields: Fields) throws(RecordingFormat.Problem) -> CacheReport {
        let memory = try fields.object("memory")
        var report = CacheReport(
            memoryBytes: try memory.int("bytes"), memoryLimit: try memory.int("limit"), count: try fields.int("count"))
        if fields.has("disk") {
            let disk = try fields.object("disk")
            report.diskBytes = try disk.int("bytes")
            report.diskLimit = try disk.int("limit")
        }
        if fields.has("address") { report.address = try address(from: fields.object("address")) }
        for value in try fields.array("creatives") { report.records.append(try record(from: Fields(value))) }
        for value in try fields.array("log") { report.log.append(try access(from: Fields(value))) }
        report.requests = try fields.int("requests")
        report.hits = try fields.int("hits")
        report.misses = try fields.int("misses")
        report.refused = try fields.int("refused")
        report.bytesServed = try fields.int("bytesServed")
        report.medianMicroseconds = try .member("medianUs", of: fields)
        report.p95Microseconds = try .member("p95Us", of: fields)
        report.evicted = try fields.int("evicted")
        report.expired = try fields.int("expired")
        report.problems = try fields.array("problems").compactMap(\.stringValue)
        return report
    }

    private static func address(from fields: Fields) throws(RecordingFormat.Problem) -> CacheReport.Address {
        CacheReport.Address(
            port: try fields.int("port"), isSecure: try .member("secure", of: fields),
            certificateEnd: try Int64?.member("certificateEndMs", of: fields).map {
                UnixTime(milliseconds: $0)
            })
    }

    private static func record(from fields: Fields) throws(RecordingFormat.Problem) -> CreativeRecord {
        guard let id = CreativeID(try fields.string("id")) else {
            throw RecordingFormat.Problem("has a creative with an invalid id")
        }
        guard let kind = CachedCreative.Kind(rawValue: try fields.string("kind")) else {
            throw RecordingFormat.Problem("has a creative of an unknown kind")
        }
        var record = CreativeRecord(
            CachedCreative(
                id: id, kind: kind, contentType: try fields.string("contentType"),
                fallbackURL: try .member("fallbackUrl", of: fields),
                origin: CachedCreative.Origin(
                    auction: try .member("auction", of: fields), bidder: try .member("bidder", of: fields)),
                content: CachedCreative.Content(body: [])),
            storedAt: UnixTime(milliseconds: try fields.integer("storedAtMs")),
            expiresAt: UnixTime(milliseconds: try fields.integer("expiresAtMs")))
        record.byteCount = try fields.int("bytes")
        record.hits = try fields.int("hits")
        record.lastUsed = UnixTime(milliseconds: try fields.integer("lastUsedMs"))
        return record
    }

    private static func access(from fields: Fields) throws(RecordingFormat.Problem) -> AccessRecord {
        AccessRecord(
            at: UnixTime(milliseconds: try fields.integer("atMs")), method: try fields.string("method"),
            subject: try fields.string("subject"), status: try fields.int("status"), bytes: try fields.int("bytes"),
            microseconds: try fields.integer("us"), origin: try .member("origin", of: fields),
            isSecure: try .member("secure", of: fields), reason: try .member("reason", of: fields))
    }
}

/// The results for an auction's creatives.
extension KeptCreative: RecordedObject {
    static var blank: KeptCreative { KeptCreative(id: "") }

    mutating func code(_ members: inout MemberCoder) {
        members.code("id", &id)
        members.code("problem", &problem)
        members.code("tookUs", &took)
    }
}
