package import HLS
package import Ports

/// A recorded live session as values: `meta.json` of `adtop-hls-sequence/1` and the files beside it.
package struct PlaybackSequence: Sendable {
    /// Why a folder is not a sequence.
    package enum Problem: Error, Hashable, Sendable {
        /// A member is missing or has another type; `path` names it, e.g. `reloads[2].at_ms`.
        case badMember(path: String)
        /// A file that `meta.json` names is missing.
        case missingFile(String)
        case badOperation(String)
    }

    /// One request of the playlist with its answer.
    package struct Answer: Sendable {
        package var file: String?
        /// Time of the request.
        package var at: UnixTime
        /// Nil when no answer came.
        package var status: Int?
        package var body: [UInt8]
        /// Where the answer came from after redirects; nil means `playlistURI`.
        package var uri: String?
        /// When the answer arrived; nil means immediately.
        package var answered: UnixTime?
        /// The directives of the request.
        package var directives = DeliveryDirectives()
        /// The Age field of the answer.
        package var age: Duration?

        package init(file: String? = nil, at: UnixTime, status: Int?, body: [UInt8]) {
            self.file = file
            self.at = at
            self.status = status
            self.body = body
        }
    }

    /// An action of the viewer.
    package enum Operation: Hashable, Sendable {
        case pause, play, seekLive
        case seek(UnixTime)
        case rate(Double)
    }

    /// The answer to an asset list request.
    package enum ListAnswer: Hashable, Sendable {
        case body([UInt8])
        case status(Int)
    }

    /// One event of the session; events at the same instant happen in the order of these cases.
    package enum Event: Sendable {
        case answer(Answer)
        case operation(Operation)
        case sample
    }

    package var playlistURI: String
    /// Variables of the multivariant playlist, for IMPORT.
    package var variables: [String: String] = [:]
    package var isLowLatency: Bool
    package var answers: [Answer]
    package var operations: [(at: UnixTime, operation: Operation)]
    package var samples: [UnixTime]
    /// Answers by request URL.
    package var assetLists: [String: ListAnswer]

    /// A sequence without events.
    package init(playlistURI: String, variables: [String: String] = [:], isLowLatency: Bool) {
        self.playlistURI = playlistURI
        self.variables = variables
        self.isLowLatency = isLowLatency
        answers = []
        operations = []
        samples = []
        assetLists = [:]
    }

    /// Reads `meta`; `files` contains the contents of the folder by name.
    package init(meta: JSONValue, files: [String: [UInt8]]) throws(Problem) {
        playlistURI = try Self.member(meta["playlist_uri"]?.stringValue, "playlist_uri")
        isLowLatency = meta["low_latency"]?.boolValue ?? false
        answers = []
        for (index, entry) in (meta["reloads"]?.arrayValue ?? []).enumerated() {
            let at = try Self.date(entry["at_ms"], "reloads[\(index)].at_ms")
            let status = try Self.member(
                entry["status"]?.integerValue.flatMap(Int.init(exactly:)), "reloads[\(index)].status")
            let name = entry["file"]?.stringValue
            answers.append(
                Answer(
                    file: name, at: at, status: status,
                    body: try name.map { name throws(Problem) in
                        try Self.content(of: name, in: files)
                    } ?? []))
        }
        operations = []
        for (index, entry) in (meta["ops"]?.arrayValue ?? []).enumerated() {
            operations.append(
                (try Self.date(entry["at_ms"], "ops[\(index)].at_ms"), try Self.operation(entry, "ops[\(index)]")))
        }
        samples = []
        for (index, entry) in (meta["sample_at_ms"]?.arrayValue ?? []).enumerated() {
            samples.append(try Self.date(entry, "sample_at_ms[\(index)]"))
        }
        assetLists = [:]
        for member in meta["asset_lists"]?.objectValue?.members ?? [] {
            if let name = member.value.stringValue {
                assetLists[member.name] = .body(try Self.content(of: name, in: files))
            } else {
                let status = member.value["status"]?.integerValue.flatMap(Int.init(exactly:))
                assetLists[member.name] = .status(try Self.member(status, "asset_lists.\(member.name)"))
            }
        }
    }

    /// All events in order of time; at the same instant answers come first, then operations, then samples.
    package var events: [(at: UnixTime, event: Event)] {
        let all: [(at: UnixTime, rank: Int, event: Event)] =
            answers.map { ($0.at, 0, .answer($0)) } + operations.map { ($0.at, 1, .operation($0.operation)) }
            + samples.map { ($0, 2, .sample) }
        // Sorting by index too keeps the order of events of one kind and instant.
        return all.enumerated().sorted {
            ($0.element.at, $0.element.rank, $0.offset) < ($1.element.at, $1.element.rank, $1.offset)
        }.map { ($0.element.at, $0.element.event) }
    }

    private static func operation(_ entry: JSONValue, _ path: String) throws(Problem) -> Operation {
        switch try member(entry["op"]?.stringValue, "\(path).op") {
        case "pause": return .pause
        case "play": return .play
        case "seek_live": return .seekLive
        case "seek_date": return .seek(try date(entry["date_ms"], "\(path).date_ms"))
        case "rate": return .rate(try member(entry["rate"]?.doubleValue, "\(path).rate"))
        case let other: throw .badOperation(other)
        }
    }

    private static func content(of name: String, in files: [String: [UInt8]]) throws(Problem) -> [UInt8] {
        guard let content = files[name] else { throw .missingFile(name) }
        return content
    }

    private static func date(_ value: JSONValue?, _ path: String) throws(Problem) -> UnixTime {
        UnixTime(milliseconds: try member(value?.integerValue, path))
    }

    private static func member<Value>(_ value: Value?, _ path: String) throws(Problem) -> Value {
        guard let value else { throw .badMember(path: path) }
        return value
    }
}
