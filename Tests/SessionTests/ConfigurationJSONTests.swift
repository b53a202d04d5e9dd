import Ports
import Testing

@testable import Session

/// The configuration in the header of a recording.
@Suite struct ConfigurationJSONTests {
    private func configuration() throws -> MonitorConfiguration {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8"))
        configuration.seed = .max
        configuration.rate = 1.5
        configuration.name = "ch7"
        return configuration
    }

    @Test(arguments: [true, false]) func comesBackAsItWas(_ prefersLowLatency: Bool) throws {
        var configuration = try configuration()
        configuration.following.prefersLowLatency = prefersLowLatency
        let header = RecordingFormat.header(configuration)
        #expect(try RecordingFormat.readHeader(Array(header.utf8)) == configuration)
    }

    @Test func recordingsFromBeforeNamesAreNamedAfterTheirURL() throws {
        let header = RecordingFormat.header(try configuration()).replacing(#""name":"ch7","#, with: "")
        #expect(!header.contains("ch7"))
        let configuration = try RecordingFormat.readHeader(Array(header.utf8))
        #expect(configuration.name == nil && MonitorState(configuration).name == "live")
    }

    @Test func recordingsFromBeforeLowLatencyPollPlainly() throws {
        let header = RecordingFormat.header(try configuration()).replacing(#""lowLatency":true,"#, with: "")
        #expect(!header.contains("lowLatency"))
        #expect(try RecordingFormat.readHeader(Array(header.utf8)).following.prefersLowLatency == false)
    }
}
