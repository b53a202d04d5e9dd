package import Ports

extension CreativeRecord {
    /// A member of `adtop-cache/1` (docs/cache.md); the reader computes ages.
    package var json: JSONValue {
        [
            "id": .string(id.text), "kind": .string(kind.rawValue), "contentType": .string(contentType),
            "bytes": .integer(Int64(byteCount)), "storedAtMs": .integer(storedAt.milliseconds),
            "expiresAtMs": .integer(expiresAt.milliseconds), "lastUsedMs": .integer(lastUsed.milliseconds),
            "hits": .integer(Int64(hits)),
            "bidder": .optional(origin.bidder), "auction": .optional(origin.auction),
            "fallbackUrl": .optional(fallbackURL),
        ]
    }
}

extension AccessRecord {
    /// A member of `adtop-cache/1` (docs/cache.md).
    package var json: JSONValue {
        [
            "atMs": .integer(at.milliseconds), "method": .string(method), "subject": .string(subject),
            "status": .integer(Int64(status)), "bytes": .integer(Int64(bytes)), "us": .integer(microseconds),
            "origin": .optional(origin), "secure": .bool(isSecure), "reason": .optional(reason),
        ]
    }
}

extension CacheReport {
    /// The cache as a document without its own schema: part of `adtop-cache/1` and of the snapshot.
    package var json: JSONValue {
        [
            "address": address.map { address -> JSONValue in
                [
                    "port": .integer(Int64(address.port)), "secure": .bool(address.isSecure),
                    "certificateEndMs": .optional(address.certificateEnd?.milliseconds),
                ]
            } ?? .null,
            "memory": ["bytes": .integer(Int64(memoryBytes)), "limit": .integer(Int64(memoryLimit))],
            "disk": diskLimit.map { ["bytes": .integer(Int64(diskBytes)), "limit": .integer(Int64($0))] } ?? .null,
            "count": .integer(Int64(count)), "creatives": .array(records.map(\.json)),
            "requests": .integer(Int64(requests)), "hits": .integer(Int64(hits)), "misses": .integer(Int64(misses)),
            "refused": .integer(Int64(refused)), "bytesServed": .integer(Int64(bytesServed)),
            "medianUs": .optional(medianMicroseconds), "p95Us": .optional(p95Microseconds),
            "evicted": .integer(Int64(evicted)), "expired": .integer(Int64(expired)),
            "log": .array(log.map(\.json)), "problems": .array(problems.map(JSONValue.string)),
        ]
    }
}
