import AdTracking
import HLS
import Ports

/// Vectors of live sessions, and of the messages in their playlists.
enum SequenceVectors {
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
            let ours = try folder.shared(meta.text()) { () throws(VectorProblem) in
                try timeline(meta, named, in: folder)
            }
            let expected = try folder.document("timeline.json").root
            return Difference.list(expected: expected.value, actual: ours, milliseconds: PlaylistVectors.tolerance)
        }
        return VectorClaim(cases: [sequence], files: named.union([document.file, "timeline.json"]))
    }

    private static func timeline(
        _ meta: JSONValue, _ names: Set<String>, in folder: VectorFolder
    ) throws(VectorProblem) -> JSONValue {
        var files: [String: [UInt8]] = [:]
        for name in names { files[name] = try folder.bytes(of: name) }
        do throws(PlaybackSequence.Problem) {
            return SequenceReplay.timeline(of: try PlaybackSequence(meta: meta, files: files))
        } catch {
            throw VectorProblem(path: "$", message: "\(error)")
        }
    }

    /// SCTE-35 messages with their decoded form or the expected error.
    static let splice = VectorKind(schema: "adtop-scte35/1", casesIn: "vectors") { node throws(VectorProblem) in
        let input = try node.member("input").text()
        let expected = node.optional("expect")
        let failure = node.optional("error")
        guard (expected == nil) != (failure == nil) else {
            throw VectorProblem(path: node.path, message: "expected one of 'expect' and 'error'")
        }
        do throws(SpliceInfoProblem) {
            let message = try SpliceTransport.decode(input)
            guard let expected else {
                return [Difference("\(node.path).error", expected: failure?.value, actual: nil)]
            }
            return Difference.list(expected: expected.value, actual: message.json, at: expected.path)
        } catch {
            return Difference.check(
                "\(node.path).error", expected: failure?.value, actual: .string(error.kind.rawValue))
        }
    }
}
