import Testing

@testable import adtop

/// How the three seconds of a way out are divided.
@Suite struct WayOutCourseTests {
    private static let stop = ContinuousClock.now

    private static func after(_ milliseconds: Int) -> ContinuousClock.Instant {
        stop.advanced(by: .milliseconds(milliseconds))
    }

    private static func course(isFinal: Bool = true) -> WayOutCourse {
        var course = WayOutCourse()
        if isFinal { _ = course.begin(at: stop) }
        course.awaitSessions(at: stop)
        return course
    }

    /// Sessions that end at once leave their time to the files.
    @Test(arguments: [true, false]) func filesHaveWhatSessionsDidNotUse(isFinal: Bool) {
        let course = Self.course(isFinal: isFinal)
        #expect(course.left(for: .sessions, at: Self.stop) == .milliseconds(2_100))
        #expect(course.left(for: .files, at: Self.after(100)) == .milliseconds(2_400))
        #expect(course.left(for: .files, at: Self.after(2_100)) == .milliseconds(400))
    }

    /// A stage that begins too late still reports what is done; all of them together end before the process is ended.
    @Test func aLateStageHasLittleTime() {
        let course = Self.course()
        #expect(course.left(for: .files, at: Self.after(2_490)) == WayOutCourse.least)
        #expect(course.left(for: .files, at: Self.after(10_000)) == WayOutCourse.least)
        #expect(WayOutCourse.Stage.files.end + WayOutCourse.least + WayOut.origin < WayOut.limit)
    }

    /// Each stage ends behind the one before it, with time of its own.
    @Test func stagesFollowEachOther() {
        let ends = WayOutCourse.Stage.allCases.map(\.end)
        #expect(zip(ends, ends.dropFirst()).allSatisfy { $1 - $0 > WayOutCourse.least })
    }

    /// Only the first stop counts, and nothing that follows makes the way longer.
    @Test func theFirstStopCounts() {
        var course = Self.course()
        let isNew = course.begin(at: Self.after(1_000))
        #expect(!isNew)
        course.awaitSessions(at: Self.after(1_000))
        course.paused(for: .seconds(5))
        #expect(course.left(for: .sessions, at: Self.after(1_000)) == .milliseconds(1_100))
    }

    /// A frame waits for its reader as long as the process is not to end.
    @Test func waitingForAReaderTakesNoTimeOfTheFiles() {
        var course = Self.course(isFinal: false)
        course.paused(for: .seconds(5))
        #expect(course.left(for: .files, at: Self.after(5_100)) == .milliseconds(2_400))
        // A stop while it waits counts from then on.
        let isNew = course.begin(at: Self.after(5_100))
        #expect(isNew)
        #expect(course.left(for: .files, at: Self.after(5_200)) == .milliseconds(2_400))
    }

    /// Another stream that is watched in place of the first one has a way out of its own.
    @Test func eachStreamHasItsOwnWay() {
        var course = Self.course(isFinal: false)
        course.awaitSessions(at: Self.after(60_000))
        #expect(course.left(for: .sessions, at: Self.after(60_000)) == .milliseconds(2_100))
        #expect(WayOutCourse().left(for: .files, at: Self.stop) == .milliseconds(2_500))
    }
}
