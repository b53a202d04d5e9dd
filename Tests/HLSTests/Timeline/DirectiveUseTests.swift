import HLS
import Ports
import Testing

/// When directives are omitted (HLS-3), tested through the follower that keeps the state.
@Suite struct DirectiveUseTests {
    private var follower = PlaylistFollower(prefersLowLatency: true)

    private func moment(_ seconds: Double) -> Moment { Moment(wall: .second(seconds), uptime: .seconds(seconds)) }

    private func playlist(_ first: Int) -> ParsedPlaylist {
        let media = steady(first) {
            $0.serverControl = ServerControl(canSkipUntil: .seconds(36), canBlockReload: true)
        }
        return ParsedPlaylist(uri: "u", kind: .media(media), findings: [])
    }

    private mutating func refused(_ status: Int?, at seconds: Double) -> [String] {
        let asked = follower.directives(at: moment(seconds))
        let exchange = ReloadExchange(requested: moment(seconds), directives: asked)
        return follower.noteFailure(status: status, exchange).findings.map(\.rule)
    }

    init() {
        _ = follower.noteParsed(playlist(0), ReloadExchange(requested: moment(0)))
    }

    @Test func withoutPartsWholeSegmentsAreWaitedFor() {
        #expect(follower.directives(at: moment(1)).text == "_HLS_msn=6&_HLS_skip=YES")
        #expect(follower.isBlocking(at: moment(1)))
        #expect(follower.schedule.nextReload == moment(0), "the server paces the requests")
    }

    @Test(arguments: [400, 405, 414, 422, 501]) mutating func aRefusalLastsAMinute(_ status: Int) {
        #expect(refused(status, at: 1) == ["http-error", "delivery-directive-refused"])
        #expect(follower.directives(at: moment(60)).isEmpty)
        #expect(!follower.directives(at: moment(61)).isEmpty)
    }

    @Test(arguments: [503, 504, nil] as [Int?]) mutating func aTimeOutLastsUntilThePlaylistGrows(_ status: Int?) {
        #expect(refused(status, at: 1) == ["http-error", "delivery-directive-refused"])
        #expect(follower.directives(at: moment(1_000)).isEmpty)
        _ = follower.noteParsed(playlist(0), ReloadExchange(requested: moment(4)))
        #expect(follower.directives(at: moment(5)).isEmpty, "nothing new yet")
        #expect(follower.schedule.nextReload == moment(7), "half the target duration, nobody paces it")
        _ = follower.noteParsed(playlist(1), ReloadExchange(requested: moment(7)))
        #expect(follower.directives(at: moment(8)).sequence == 7)
    }

    /// A server that never keeps its promise is asked plainly for longer and longer, however often the playlist grows in between.
    @Test(arguments: [503, nil, 404, 403, 500] as [Int?])
    mutating func failuresInARowMakeRequestsPlainForAWhile(_ status: Int?) {
        var plain: [Double] = []
        var time = 1.0
        for number in 1...8 {
            #expect(!follower.directives(at: moment(time)).isEmpty)
            _ = refused(status, at: time)
            _ = follower.noteParsed(playlist(number), ReloadExchange(requested: moment(time + 1)))
            let began = time
            time += 1
            while follower.directives(at: moment(time)).isEmpty { time += 1 }
            plain.append(time - began)
        }
        #expect(plain == [1, 60, 120, 240, 480, 960, 960, 960])
        let asked = follower.directives(at: moment(time))
        _ = follower.noteParsed(playlist(9), ReloadExchange(requested: moment(time), directives: asked))
        _ = refused(status, at: time + 1)
        _ = follower.noteParsed(playlist(10), ReloadExchange(requested: moment(time + 2)))
        #expect(!follower.directives(at: moment(time + 3)).isEmpty, "an answer as promised starts the count again")
    }

    /// The address with a query may be what the server does not know or allow.
    @Test(arguments: [401, 403, 404, 410, 500, 502])
    mutating func aRefusedPlaylistIsAskedForPlainlyWithoutBlame(_ status: Int) {
        #expect(refused(status, at: 1) == ["http-error"])
        #expect(follower.directives(at: moment(2)).isEmpty)
    }

    @Test(arguments: [407, 429]) mutating func otherErrorsChangeNothing(_ status: Int) {
        #expect(refused(status, at: 1) == ["http-error"])
        #expect(!follower.directives(at: moment(2)).isEmpty)
    }

    @Test mutating func anAnswerWithoutWhatWasAskedForIsNotBlocking() {
        let asked = follower.directives(at: moment(1))
        let early = follower.noteParsed(playlist(0), ReloadExchange(requested: moment(1), directives: asked))
        #expect(early.findings.map(\.rule) == ["blocking-reload-early"])
        #expect(follower.directives(at: moment(2)).isEmpty)
        let late = follower.noteParsed(playlist(1), ReloadExchange(requested: moment(6), directives: asked))
        #expect(late.findings.isEmpty)
    }

    @Test mutating func aTornDeltaIsAskedForWhole() {
        var delta = steady(40)
        delta.mediaSequence = 30
        delta.skip = SkippedSegments(count: 10)
        delta.serverControl = ServerControl(canSkipUntil: .seconds(36), canBlockReload: true)
        let parsed = ParsedPlaylist(uri: "u", kind: .media(delta), findings: [])
        let torn = follower.noteParsed(
            parsed, ReloadExchange(requested: moment(6), directives: follower.directives(at: moment(6))))
        #expect(torn.outcome == .deltaIncomplete)
        #expect(follower.directives(at: moment(6)).text == "_HLS_msn=6")
        #expect(follower.mergedDeltas == 0)
    }
}
