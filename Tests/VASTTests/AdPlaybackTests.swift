import Ports
import Testing

@testable import VAST

@Suite struct AdPlaybackTests {
    private static func name(_ event: AdPlayback.Event) -> String {
        switch event {
        case .impression: "impression"
        case .named(let name): name.rawValue
        case .progress(.milliseconds(let time)): "progress@\(time)"
        case .progress(.percent(let share)): "progress@\(Int(share))%"
        case .error(let code): "error?c=\(code)"
        }
    }

    private static func apply(_ action: [JSONValue], to playback: inout AdPlayback) -> [AdPlayback.Event] {
        let number = action.count > 1 ? action[1].integerValue ?? 0 : 0
        switch action[0].stringValue {
        case "loaded": return playback.loaded()
        case "play": return playback.started()
        case "tick": return playback.played(to: number)
        case "rewind": return playback.rewound(to: number)
        case "seek": return playback.seeked(to: number)
        case "skip": return playback.skipped()
        case "mute": return playback.muted(action[1].boolValue ?? false)
        case "pause": return playback.paused()
        case "resume": return playback.resumed()
        case "ended": return playback.ended()
        case "error": return playback.failed(code: Int(number))
        case "close": return playback.closed()
        case "notUsed": return playback.notUsed()
        default:
            Issue.record("unknown action \(action[0].text())")
            return []
        }
    }

    @Test(.enabled(if: Conformance.isPresent, "\(Conformance.absence)"))
    func firesWhatTheTimelinesSay() throws {
        let vectors = try #require(try Conformance.json("vectors/tracking.json")["vectors"]?.arrayValue)
        #expect(vectors.count == 12)
        for vector in vectors {
            let progress = vector["progress"]?.arrayValue?.compactMap { entry -> TimeOffset? in
                if let time = entry.integerValue { return .milliseconds(time) }
                return entry["percent"]?.doubleValue.map(TimeOffset.percent)
            }
            var playback = AdPlayback(
                duration: vector["duration_ms"]?.integerValue, skipFrom: vector["skip_offset_ms"]?.integerValue,
                progress: progress ?? [])
            let fired = (vector["actions"]?.arrayValue ?? []).flatMap {
                Self.apply($0.arrayValue ?? [], to: &playback)
            }.map(Self.name)
            let wanted = vector["expected"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let optional = Set(vector["optional"]?.arrayValue?.compactMap(\.stringValue) ?? [])
            #expect(
                fired.filter { !optional.contains($0) }.sorted() == wanted.sorted(),
                "\(vector["name"]?.stringValue ?? "")")
        }
    }
}
