import AdTracking
import Foundation
import Ports
import Testing

/// One state has one word, and docs/states.md is made from them.
@Suite struct StateWordTests {
    /// ADTOP_RECORD_GOLDENS=1 writes the page.
    @Test func thePageIsThatOfTheCode() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/states.md")
            .standardizedFileURL
        if ProcessInfo.processInfo.environment["ADTOP_RECORD_GOLDENS"] == "1" {
            try Data(StatePage.markdown.utf8).write(to: file)
        }
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page == StatePage.markdown, "run this test with ADTOP_RECORD_GOLDENS=1 and read the change")
    }

    @Test func everyWordIsThatOfOneState() {
        #expect(Set(ReportingState.allCases.map(\.word)).count == ReportingState.allCases.count)
        #expect(Set(DeliveryState.allCases.map(\.word)) == Set(StateWord.allCases).subtracting([.partial]))
        let reasons = SkipReason.allCases.map(\.words) + [.beforeJoin, .withdrawn, .withoutMoment, .withoutURL]
        #expect(Set(reasons.map(\.short)).count == reasons.count)
        #expect(reasons.allSatisfy { $0.short.utf8.count <= 16 && !$0.sentence.hasSuffix(".") })
    }

    /// The closed list has one reason for both, and only one of them waits for the viewer.
    @Test func whatHasNoMomentIsNoActionOfTheViewer() {
        let status = EventStatus(.skipped, .userClass)
        #expect(status.reasonWords(isUserTriggered: true) == SkipReason.userClass.words)
        #expect(status.reasonWords(isUserTriggered: false) == .withoutMoment)
    }

    private func status(_ type: EventType, _ viewer: AdViewer) throws -> EventStatus {
        try #require(viewer.event(type).flatMap { viewer.tracker.status(of: $0) })
    }

    /// What a viewer joined after was not jumped over.
    @Test func whatIsOlderThanTheJoinIsBeforeIt() throws {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 30_000, [.full("a", 10_000, 30_000)])])
        viewer.play(20_000, 22_000)
        #expect(try status(.start, viewer).isBeforeJoin)
        #expect(try status(.start, viewer).reason == .seekedOver)
        #expect(try !status(.complete, viewer).isBeforeJoin)
        viewer.seek(60_000)
        viewer.play(60_000, 61_000)
        #expect(try status(.complete, viewer).reason == .seekedOver)
        #expect(try !status(.complete, viewer).isBeforeJoin)
    }

    /// The dates that a step passes over are in no media: nothing jumped over them.
    @Test func whatTheStreamDoesNotHaveWasNotJumpedOver() throws {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 30_000, [.full("a", 10_000, 30_000)])])
        viewer.playOn(0, 5_000)
        viewer.playOn(65_000, 70_000)
        let status = try status(.start, viewer)
        #expect(status.reason == .seekedOver && !status.isBeforeJoin)
        #expect(
            status.reasonWords(isUserTriggered: false)?.sentence.hasSuffix(", or the stream does not have it") == true)
    }

    /// Only what can still come is idle (D8).
    @Test func whatOnlyTheViewerTriggersIsIdleUntilItsAdIsOver() throws {
        var viewer = AdViewer()
        viewer.metadata([
            .test("b", 10_000, 10_000, [.test("a", 10_000, 10_000, [.test(.mute, 10_000), .test(.start, 10_000)])])
        ])
        viewer.play(5_000, 6_000)
        #expect(try status(.mute, viewer) == EventStatus(.idle, .userClass))
        viewer.play(6_000, 15_000)
        #expect(try status(.mute, viewer) == EventStatus(.idle, .userClass))
        viewer.play(15_000, 25_000)
        #expect(try status(.mute, viewer) == EventStatus(.skipped, .userClass))
        viewer.seek(12_000)
        viewer.play(12_000, 13_000)
        #expect(try status(.mute, viewer) == EventStatus(.idle, .userClass))
    }
}
