import AdTracking
import Ports
import Testing

/// Reading `adtop-hls-sequence/1`.
@Suite struct PlaybackSequenceTests {
    private let good: JSONValue = [
        "playlist_uri": "https://cdn.example.com/live/media.m3u8",
        "reloads": [["file": "0", "at_ms": 5, "status": 200]],
        "ops": [["at_ms": 5, "op": "seek_date", "date_ms": 7]], "sample_at_ms": [5],
        "asset_lists": ["https://ads.example.com/l": ["status": 404]],
    ]

    private func problem(_ edit: (inout JSONObject) -> Void, files: [String: [UInt8]] = ["0": []]) -> PlaybackSequence
        .Problem?
    {
        var meta = good.objectValue ?? JSONObject()
        edit(&meta)
        do throws(PlaybackSequence.Problem) {
            _ = try PlaybackSequence(meta: .object(meta), files: files)
            return nil
        } catch {
            return error
        }
    }

    @Test func everyMemberIsRead() throws {
        let sequence = try PlaybackSequence(meta: good, files: ["0": [1]])
        #expect(sequence.answers.map(\.body) == [[1]])
        #expect(sequence.operations.map(\.operation) == [.seek(UnixTime(milliseconds: 7))])
        #expect(sequence.samples == [UnixTime(milliseconds: 5)])
        #expect(sequence.assetLists == ["https://ads.example.com/l": .status(404)])
        #expect(!sequence.isLowLatency)
    }

    @Test func badMembersAreNamed() {
        #expect(problem { _ in } == nil)
        #expect(problem({ _ in }, files: [:]) == .missingFile("0"))
        #expect(problem { $0["playlist_uri"] = nil } == .badMember(path: "playlist_uri"))
        #expect(problem { $0["reloads"] = [["file": nil, "at_ms": 1]] } == .badMember(path: "reloads[0].status"))
        #expect(problem { $0["ops"] = [["at_ms": 1, "op": "dance"]] } == .badOperation("dance"))
        #expect(problem { $0["ops"] = [["at_ms": 1, "op": "seek_date"]] } == .badMember(path: "ops[0].date_ms"))
        #expect(problem { $0["sample_at_ms"] = ["now"] } == .badMember(path: "sample_at_ms[0]"))
    }
}
