package import CreativeCache
import Ports

/// The identity of a row of the cache view, which is stable when the list is rebuilt.
package enum CacheItem: Hashable, Sendable {
    case creative(CreativeID)
    case zone(String, ZonePart)
}

/// The two parts that are saved for a zone (CACHE-15).
package enum ZonePart: String, Hashable, Sendable, CaseIterable {
    case response, video
}

/// A creative, or one of the two parts of a saved zone.
enum CacheRow: Sendable {
    case creative(CreativeRecord)
    case zone(ZoneRow, ZonePart)

    var item: CacheItem {
        switch self {
        case .creative(let record): .creative(record.id)
        case .zone(let row, let part): .zone(row.zone, part)
        }
    }

    /// The texts that the filter matches.
    var texts: [String] {
        switch self {
        case .creative(let record):
            [record.id.text, record.kind.rawValue, record.origin.bidder ?? "", record.origin.auction ?? ""]
        case .zone(let row, let part): [row.zone, part.rawValue, row.measurement.quality.rawValue]
        }
    }
}

extension ZoneRow {
    /// Bytes of one of its parts.
    func bytes(_ part: ZonePart) -> Int { part == .response ? responseBytes : mediaBytes }

    /// `mid 2.4 s`: the rendition and the time of its download.
    var took: String {
        let time = Duration(finiteSeconds: measurement.seconds)?.text ?? "?"
        return "\(measurement.quality.rawValue) \(time)"
    }
}
