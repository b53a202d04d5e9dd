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
}
