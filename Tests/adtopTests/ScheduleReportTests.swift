import Testing
import VAST

@testable import adtop

@Suite struct ScheduleReportTests {
    private static let document = """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
        <vmap:AdBreak timeOffset="start" breakType="linear" breakId="pre"><vmap:AdSource>
        <vmap:AdTagURI templateType="vast4"><![CDATA[https://ads.example/pre]]></vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>
        <vmap:AdBreak timeOffset="50%" breakType="linear,display" breakId="mid"/>
        <vmap:AdBreak timeOffset="#2" breakType="linear"/>
        <vmap:AdBreak timeOffset="soon" breakType="linear" breakId="odd"/>
        </vmap:VMAP>
        """

    private func lines(duration: Int?) throws -> [String] {
        let vmap = try #require(VASTReader.read(Array(Self.document.utf8)).vmap)
        let schedule = VMAPSchedule(vmap, duration: duration.map { .init($0) })
        return ScheduleReport(document: vmap, schedule: schedule).lines
    }

    @Test func stopsComeInOrderOfTime() throws {
        #expect(
            try lines(duration: 600_000) == [
                "VMAP 1.0, 4 breaks", "pre-roll at 0s", "  pre  linear  tag https://ads.example/pre (vast4)",
                "mid-roll at 5m", "  mid  linear,display  no source", "at opportunity 2",
                "  without id  linear  no source", "with an unusable timeOffset", "  soon  odd  linear  no source",
            ])
    }

    @Test func sharesNeedTheDuration() throws {
        #expect(
            try lines(duration: nil).suffix(4) == [
                "without a time (duration unknown)", "  50%  mid  linear,display  no source",
                "with an unusable timeOffset", "  soon  odd  linear  no source",
            ])
    }

    @Test func repetitionsThatAreLeftOutAreNamed() throws {
        let text = """
            <VMAP version="1.0"><AdBreak timeOffset="00:00:00" repeatAfter="00:00:00.001" breakType="linear" breakId="x"/></VMAP>
            """
        let vmap = try #require(VASTReader.read(Array(text.utf8)).vmap)
        let lines = ScheduleReport(document: vmap, schedule: VMAPSchedule(vmap, duration: 3_600_000)).lines
        #expect(
            lines.dropLast().last == "repeated further than shown (at most 10000 repetitions in all)"
                && lines.last?.hasPrefix("  00:00:00  x  linear") == true)
    }
}
