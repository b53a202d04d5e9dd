import AdTracking
import HLS
import Ports

extension VectorKind {
    /// A live session: reloads, the viewer's actions, and the resulting timeline (`adtop-hls-timeline/1`).
    static let sequence = VectorKind(name: "adtop-hls-sequence/1") { document, folder in
        guard document.schema == "adtop-hls-sequence/1" else { return nil }
        let meta = document.root.value
        let playlists = (meta["reloads"]?.arrayValue ?? []).compactMap { $0["file"]?.stringValue }
        let lists = (meta["asset_lists"]?.objectValue?.members ?? []).compactMap(\.value.stringValue)
        let named = Set(playlists + lists)
        let sequence = VectorCase(
            kind: "adtop-hls-sequence/1", file: folder.place(of: document.file)
        ) { () throws(VectorProblem) in
            var files: [String: [UInt8]] = [:]
            for name in named { files[name] = try folder.bytes(of: name) }
            let expected = try folder.document("timeline.json").root
            do throws(PlaybackSequence.Problem) {
                let sequence = try PlaybackSequence(meta: meta, files: files)
                return Difference.list(
                    expected: expected.value, actual: SequenceReplay.timeline(of: sequence),
                    milliseconds: playlistTolerance)
            } catch {
                throw VectorProblem(path: "$", message: "\(error)")
            }
        }
        return VectorClaim(cases: [sequence], files: named.union([document.file, "timeline.json"]))
    }

    /// SCTE-35 messages with their decoded form or the expected error.
    static let splice = VectorKind(name: "adtop-scte35/1") { document, folder in
        guard document.schema == "adtop-scte35/1" else { return nil }
        return folder.claim(document, kind: "adtop-scte35/1", casesIn: "vectors") { node throws(VectorProblem) in
            let input = try node.member("input").text()
            do throws(SpliceInfoProblem) {
                let message = try SpliceTransport.decode(input)
                guard let expected = node.optional("expect") else {
                    return [Difference("\(node.path).error", expected: node.value["error"], actual: nil)]
                }
                return Difference.list(expected: expected.value, actual: message.json, at: expected.path)
            } catch {
                let wanted = node.optional("expect") == nil ? node.value["error"] : nil
                return Difference.check("\(node.path).error", expected: wanted, actual: .string(error.kind.rawValue))
            }
        }
    }
}
