/// A SCTE-35 message that could be decoded.
struct DecodedSplice {
    /// The whole splice_info_section.
    var section: [UInt8]
    var info: SpliceInfo
}

extension ParseContext {
    /// The message in a text of any transport form; nil, with a finding, when it cannot be decoded. A wrong CRC is only a finding, because
    /// the draft's own example has one.
    mutating func splice(_ text: ByteView, from name: StaticString) -> DecodedSplice? {
        if let last = lastSplice, last.text.withUnsafeBufferPointer(text.equals) { return last.splice }
        guard let splice = decoded(text, from: name) else {
            undecodableSplices.append(UndecodableSplice(line: line, name: "\(name)", text: text.string))
            return nil
        }
        lastSplice = (Array(text.bytes), splice)
        return splice
    }

    private mutating func decoded(_ text: ByteView, from name: StaticString) -> DecodedSplice? {
        guard let section = SpliceTransport.bytes(of: text.bytes) else {
            report(.scte35Undecodable, "\(name) is neither base64 nor hexadecimal: '\(text.excerpt)'")
            return nil
        }
        do throws(SpliceInfoProblem) {
            let info = try SpliceInfo(section)
            if !info.isCRCValid { report(.scte35BadCRC, "\(name) has a wrong CRC") }
            if let problem = info.descriptorsProblem {
                report(
                    .scte35Undecodable,
                    "\(name) has descriptors that are longer than the message: \(problem.explanation)")
            }
            for descriptor in info.descriptors ?? [] {
                guard let problem = descriptor.problem else { continue }
                report(
                    .scte35Undecodable,
                    "\(name) has a descriptor with tag \(descriptor.tag) that is \(problem.explanation)")
            }
            return DecodedSplice(section: section, info: info)
        } catch {
            report(.scte35Undecodable, "\(name) is not a splice_info_section: \(error.explanation)")
            return nil
        }
    }
}

extension MediaPlaylistBuilder {
    /// Reads one tag of `PlaylistTag.Place.marker`.
    mutating func readMarker(_ tag: PlaylistTag, _ value: ByteView, context: inout ParseContext) {
        guard cuePoints.count < PlaylistLimits.cuePoints else {
            context.report(.limitReached, "more than \(PlaylistLimits.cuePoints) ad markers; the rest is not read")
            return
        }
        guard var point = CueTagReader.read(tag, value, context: &context) else { return }
        point.sequence = playlist.segments.count
        point.isBehindParts = !pending.parts.isEmpty
        cuePoints.append(point)
    }
}
