import Ports
import VAST

/// Vectors of what a player reports while an ad plays, and of the file it plays.
enum PlaybackVectors {
    /// The actions of a player on an ad, and the events that fire (VAST-9).
    static let adTimeline = VectorKind(name: "vast-tracking") { document, folder in
        guard document.schema == nil, let vectors = document.root.value["vectors"]?.arrayValue, !vectors.isEmpty,
            vectors.allSatisfy({ $0["actions"]?.arrayValue != nil })
        else { return nil }
        return folder.claim(document, kind: "vast-tracking", casesIn: "vectors") { node throws(VectorProblem) in
            var progress: [TimeOffset] = []
            for entry in try node.optional("progress")?.list() ?? [] {
                if let share = entry.optional("percent") {
                    progress.append(.percent(try share.number()))
                } else {
                    progress.append(.milliseconds(try entry.integer()))
                }
            }
            var playback = AdPlayback(
                duration: try node.optional("duration_ms")?.integer(),
                skipFrom: try node.optional("skip_offset_ms")?.integer(), progress: progress)
            var ticks: [[String]] = []
            for action in try node.member("actions").list() {
                ticks.append(try apply(action, to: &playback).map(name))
            }
            return try differences(from: node, ticks: ticks)
        }
    }

    /// Compares the events in order; those of one tick may have any. Optional events fire once, or not at all.
    private static func differences(
        from node: VectorNode, ticks: [[String]]
    ) throws(VectorProblem) -> [Difference] {
        let optional = Set(try node.texts("optional") ?? [])
        let expected = try node.member("expected")
        let wanted = try expected.texts()
        var differences: [Difference] = []
        let extra = ticks.flatMap(\.self).filter(optional.contains)
        if Set(extra).count < extra.count {
            differences.append(
                Difference("\(node.path).optional", expected: nil, actual: .array(extra.map(JSONValue.string))))
        }
        let fired = ticks.map { $0.filter { !optional.contains($0) } }
        var left = wanted[...]
        let isSame = fired.allSatisfy { tick in
            defer { left = left.dropFirst(tick.count) }
            return left.prefix(tick.count).sorted() == tick.sorted()
        }
        guard isSame, left.isEmpty else {
            return differences + [
                Difference(
                    expected.path, expected: .array(wanted.map(JSONValue.string)),
                    actual: .array(fired.flatMap(\.self).map(JSONValue.string)))
            ]
        }
        return differences
    }

    private static func apply(
        _ action: VectorNode, to playback: inout AdPlayback
    ) throws(VectorProblem) -> [AdPlayback.Event] {
        let parts = try action.list()
        guard let verb = parts.first else { throw VectorProblem(path: action.path, message: "expected an action") }
        func argument() throws(VectorProblem) -> VectorNode {
            guard parts.count > 1 else {
                throw VectorProblem(path: action.path, message: "expected a second member")
            }
            return parts[1]
        }
        switch try verb.text() {
        case "loaded": return playback.loaded()
        case "play": return playback.started()
        case "tick": return playback.played(to: try argument().integer())
        case "rewind": return playback.rewound(to: try argument().integer())
        case "seek": return playback.seeked(to: try argument().integer())
        case "skip": return playback.skipped()
        case "mute": return playback.muted(try argument().flag())
        case "pause": return playback.paused()
        case "resume": return playback.resumed()
        case "ended": return playback.ended()
        case "error": return playback.failed(code: try argument().count())
        case "close": return playback.closed()
        case "notUsed": return playback.notUsed()
        case let other: throw VectorProblem(path: verb.path, message: "unknown action '\(other)'")
        }
    }

    private static func name(_ event: AdPlayback.Event) -> String {
        switch event {
        case .impression: "impression"
        case .named(let name): name.rawValue
        case .progress(.milliseconds(let time)): "progress@\(time)"
        case .progress(.percent(let share)):
            "progress@\(JSONValue.double(share).integerValue.map(String.init) ?? "\(share)")%"
        case .error(let code): "error?c=\(code)"
        }
    }

    /// Media files, a player, and the file that it selects.
    static let mediaSelection = VectorKind(name: "vast-media-selection") { document, folder in
        guard document.schema == nil, let vectors = document.root.value["vectors"]?.arrayValue, !vectors.isEmpty,
            vectors.allSatisfy({ $0["files"]?.arrayValue != nil && $0["player"] != nil })
        else { return nil }
        return folder.claim(document, kind: "vast-media-selection", casesIn: "vectors") { node throws(VectorProblem) in
            let player = try node.member("player")
            let profile = PlayerProfile(
                types: try player.member("types").texts(), width: try player.member("width").count(),
                height: try player.member("height").count(), maximumBitrate: try player.optional("max_kbps")?.count())
            var files: [VASTDocument.MediaFile] = []
            for file in try node.member("files").list() { files.append(try mediaFile(file)) }
            let selection = MediaSelection(of: files, for: profile)
            let pick = try node.member("pick")
            return Difference.check(
                pick.path, expected: pick.value, actual: .optional(selection.chosen.flatMap { files[$0].id }))
        }
    }

    private static func mediaFile(_ node: VectorNode) throws(VectorProblem) -> VASTDocument.MediaFile {
        var file = VASTDocument.MediaFile(
            id: try node.optional("id")?.text(), url: try node.optional("url")?.text() ?? "")
        file.type = try node.optional("type")?.text()
        file.delivery = try node.optional("delivery")?.text()
        file.codec = try node.optional("codec")?.text()
        file.apiFramework = try node.optional("api_framework")?.text()
        file.width = try node.optional("width")?.count()
        file.height = try node.optional("height")?.count()
        file.bitrate = try node.optional("bitrate")?.count()
        file.minimumBitrate = try node.optional("min_bitrate")?.count()
        file.maximumBitrate = try node.optional("max_bitrate")?.count()
        return file
    }
}
