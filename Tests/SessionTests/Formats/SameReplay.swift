import Testing

@testable import Session

/// Configuration and inputs survive writing and reading, and the result replays the same session.
func expectSameReplay(
    _ live: Snapshot, of configuration: MonitorConfiguration, _ inputs: [RecordedInput],
    source: SourceLocation = #_sourceLocation
) throws {
    let header = RecordingFormat.header(configuration)
    var recording = Recording(configuration: try RecordingFormat.readHeader(Array(header.utf8)))
    #expect(recording.configuration == configuration, sourceLocation: source)
    for input in inputs {
        recording.inputs.append(try RecordingFormat.readLine(Array(RecordingFormat.line(input).utf8)))
    }
    #expect(recording.inputs == inputs, sourceLocation: source)
    var replay = Replay(recording)
    replay.move(to: replay.count)
    let replayed = replay.snapshot()
    #expect(SnapshotJSON().value(of: live) == SnapshotJSON().value(of: replayed), sourceLocation: source)
}
