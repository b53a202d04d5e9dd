import HLS
import Ports

/// Vectors of single playlists.
enum PlaylistVectors {
    /// Tolerance of `*_ms` values, because some tools truncate below a millisecond.
    static let tolerance: UInt64 = 1

    /// A playlist and its complete parse result, including `issues`.
    static let playlist = VectorKind(name: "adtop-hls-golden/1") { document, folder in
        guard document.schema == "adtop-hls-golden/1" else { return nil }
        return folder.claim(document, kind: "adtop-hls-golden/1") { () throws(VectorProblem) in
            let golden = document.root
            var variables: [String: String] = [:]
            for (name, node) in try golden.optional("variables")?.members() ?? [] {
                variables[name] = try node.text()
            }
            let uri = try golden.member("playlist_uri").text()
            let ours = try folder.shared("\(document.file) \(uri) \(variables.sorted { $0 < $1 })") {
                () throws(VectorProblem) in
                PlaylistParser.parse(
                    try folder.subjectBytes(of: document), uri: uri, variables: variables, isStrict: true
                ).json
            }
            return Difference.list(expected: golden.value, actual: ours, milliseconds: tolerance)
        }
    }

    /// Members of a bench document that are not facts about the playlist.
    private static let benchNotes: Set = ["schema", "file", "note", "notes", "baseline"]

    /// A large playlist and its key facts.
    static let bench = VectorKind(name: "adtop-hls-bench/1") { document, folder in
        guard document.schema == "adtop-hls-bench/1" else { return nil }
        var claim = folder.claim(document, kind: "adtop-hls-bench/1") { () throws(VectorProblem) in
            let facts = document.root
            let expected = facts.value.objectValue?.members.filter { !benchNotes.contains($0.name) } ?? []
            let file = try facts.member("file").text()
            let ours = try folder.shared(file) { () throws(VectorProblem) in
                benchFacts(try folder.bytes(of: file))
            }
            guard let ours else { return [Difference("$", expected: "a media playlist", actual: nil)] }
            guard !expected.isEmpty else { throw VectorProblem(path: "$", message: "no facts") }
            return expected.flatMap { fact -> [Difference] in
                guard let value = ours[fact.name] else {
                    return [VectorProblem(path: "$.\(fact.name)", message: "not a member of the schema").difference]
                }
                return Difference.check("$.\(fact.name)", expected: fact.value, actual: value)
            }
        }
        if let file = document.root.value["file"]?.stringValue { claim.files.insert(file) }
        return claim
    }

    /// The facts of a media playlist; nil for another one.
    private static func benchFacts(_ bytes: [UInt8]) -> [String: JSONValue]? {
        let parsed = PlaylistParser.parse(bytes, uri: "https://cdn.example.com/live/ch1/media.m3u8")
        guard let playlist = parsed.media else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return [
            "bytes": .optional(bytes.count), "lines": .optional(bytes.count { $0 == UInt8(ascii: "\n") }),
            "segments": .optional(playlist.segments.count),
            "duration_ms": .integer(playlist.duration.roundedMilliseconds),
            "first_seq": .optional(playlist.segments.first?.sequence),
            "last_seq": .optional(playlist.segments.last?.sequence),
            "first_pdt_ms": .optional(playlist.segments.first?.date?.milliseconds),
            "last_pdt_ms": .optional(playlist.segments.last?.date?.milliseconds),
            "daterange_tags": .optional(text.split(separator: "\n").count { $0.hasPrefix("#EXT-X-DATERANGE:") }),
            "dateranges": .optional(playlist.dateRanges.count),
            "dateranges_closed": .optional(playlist.dateRanges.count { $0.end != nil }),
            "issues": parsed.json["issues"] ?? .null,
        ]
    }

    /// A complete playlist and its playback order; `checked_against` and `differences` are notes.
    static let schedule = VectorKind(name: "adtop-hls-schedule/1") { document, folder in
        guard document.schema == "adtop-hls-schedule/1" else { return nil }
        return folder.claim(document, kind: "adtop-hls-schedule/1") { () throws(VectorProblem) in
            let uri = try document.root.member("playlist_uri").text()
            let parsed = PlaylistParser.parse(try folder.subjectBytes(of: document), uri: uri)
            guard let playlist = parsed.media else {
                return [Difference("$", expected: "a media playlist", actual: parsed.json["type"])]
            }
            var timeline = Timeline()
            _ = timeline.fold(playlist)
            let schedule = InterstitialSchedule(timeline).json(playlistURI: uri)
            var differences: [Difference] = []
            for member in ["schema", "playlist_uri", "durations", "items"] {
                let wanted = try document.root.member(member)
                differences += Difference.check(wanted.path, expected: wanted.value, actual: schedule[member])
            }
            return differences
        }
    }

    /// The results of other parsers for the playlists in the same folder. They are not compared; each named playlist
    /// must exist.
    static let parserSurvey = VectorKind(name: "cross-check") { document, folder in
        guard let members = document.root.value.objectValue?.members, !members.isEmpty,
            members.allSatisfy({ isVerdictList($0.value) })
        else { return nil }
        return folder.claim(document, kind: "cross-check", evidence: .files) { () throws(VectorProblem) in
            let names = members.map(\.name)
            var known: Set<String> = []
            for name in [folder.path] + folder.folders.map({ folder.place(of: $0) }) {
                // A folder that cannot be listed counts as empty.
                guard let listed = try? VectorFolder(name) else { continue }
                known.formUnion(
                    listed.files.filter { $0.hasSuffix(VectorFolder.expectedSuffix) }.map {
                        String($0.dropLast(VectorFolder.expectedSuffix.count))
                    })
            }
            return Difference.checkContains("$", expected: names, actual: known.sorted())
        }
    }

    private static func isVerdictList(_ value: JSONValue) -> Bool {
        guard let verdicts = value.objectValue?.members, !verdicts.isEmpty else { return false }
        return verdicts.allSatisfy {
            $0.value == "agree" || $0.value.arrayValue?.allSatisfy { $0.stringValue != nil } == true
        }
    }
}
