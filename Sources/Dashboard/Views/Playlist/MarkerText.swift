import HLS
import Ports

/// Ad markers in a few words.
enum MarkerText {
    /// `CUE-OUT`: the tag without the prefix of all tags.
    static func tag(_ tag: String) -> String {
        for prefix in ["EXT-X-", "EXT-"] where tag.hasPrefix(prefix) { return String(tag.dropFirst(prefix.count)) }
        return tag
    }

    /// The content of a SCTE-35 section in one line, or why it cannot be decoded.
    static func splice(_ bytes: [UInt8]) -> String {
        do throws(SpliceInfoProblem) {
            return words(try SpliceInfo(bytes)).joined(separator: "  ")
        } catch {
            return "undecodable: \(error.explanation)"
        }
    }

    private static func words(_ info: SpliceInfo) -> [String] {
        guard !info.isEncrypted else { return ["encrypted"] }
        var words: [String] = []
        switch info.command {
        case .insert(let insert):
            words.append("splice_insert \(insert.eventID)")
            words += insert.detail.map(Self.words) ?? ["cancelled"]
        case .timeSignal:
            let named = (info.descriptors ?? []).compactMap(segmentation)
            words += named.isEmpty ? ["time_signal"] : named
        case .some(let command): words.append(command.name)
        case nil: break
        }
        if !info.isCRCValid { words.append("wrong CRC") }
        return words
    }

    private static func words(_ detail: SpliceInsert.Detail) -> [String] {
        var words = [detail.isOutOfNetwork ? "out" : "in"]
        if let length = detail.breakDuration {
            words.append(TimeText.span(SpliceTicks.duration(length.ticks)))
            if length.isAutoReturn { words.append("auto-return") }
        }
        return words
    }

    /// `0x34 Provider Placement Opportunity Start  30.0s  4711`: the most telling part comes first, because rows are cut at their end.
    private static func segmentation(_ descriptor: SpliceDescriptor) -> String? {
        guard case .segmentation(let segmentation) = descriptor.body else { return nil }
        guard let detail = segmentation.detail else { return "segmentation \(segmentation.eventID) cancelled" }
        let length = detail.ticks.map { "  " + TimeText.span(SpliceTicks.duration($0)) } ?? ""
        let type = "0x\(detail.type.id.upperHexadecimal) \(detail.type.name ?? "reserved")"
        return "\(type)\(length)  \(segmentation.eventID)"
    }
}
