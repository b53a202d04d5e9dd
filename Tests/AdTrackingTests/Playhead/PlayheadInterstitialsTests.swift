import AdTracking
import HLS
import Ports
import TestSupport
import Testing

/// Playback of assets in place of the stream (HLS-18 to HLS-21).
@Suite struct PlayheadInterstitialsTests {
    /// An interstitial tag with start at `start` seconds and a list at `/<id>.json`.
    private func tag(_ id: String, at start: Double, _ more: String = "PLANNED-DURATION=20") -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(UnixTime.second(start).iso8601)\","
            + "X-ASSET-LIST=\"https://ads.example.com/\(id).json\",\(more)"
    }

    /// A viewer at 18 s of a window of 36 s, joined at second 36.
    private func viewer(_ tags: String..., isComplete: Bool = false) -> Viewer {
        var viewer = Viewer()
        viewer.reload(playlistText(0, tags: tags.joined(separator: "\n"), isComplete: isComplete), at: 36)
        return viewer
    }

    private func list(_ seconds: Double...) -> AssetList {
        AssetList(
            assets: seconds.enumerated().map {
                AssetList.Asset(uri: "https://ads.example.com/\($0)", duration: .seconds($1))
            })
    }

    @Test func playsItsAssetsAndResumes() throws {
        var viewer = viewer(tag("a", at: 20))
        #expect(
            viewer.requests() == [InterstitialRequest(id: "a", kind: .assetList, url: "https://ads.example.com/a.json")]
        )
        #expect(viewer.requests().isEmpty, "requested once")
        viewer.answer("a", list(3, 2), at: 37)
        #expect(viewer.playhead.nextWake == .seconds(38))
        viewer.tick(42)
        #expect(viewer.reading.state == .interstitial)
        #expect(viewer.reading.stream == .second(20) && viewer.reading.date == .second(20))
        #expect(viewer.reading.presentationDate == .second(24))
        #expect(
            viewer.reading.interstitial
                == InterstitialReading(id: "a", elapsed: .seconds(4), assetIndex: 1, assetOffset: .seconds(1)))
        #expect(viewer.reading.drift == .zero)
        viewer.tick(44)
        #expect(viewer.playhead.position == .second(26))
        #expect(viewer.play("a")?.result == .completed)
        #expect(viewer.play("a")?.back == .second(43))
        #expect(viewer.assetSegments.map(\.fromElapsed) == [.zero, .seconds(3), .seconds(4)])
        #expect(viewer.assetSegments.map(\.toElapsed) == [.seconds(3), .seconds(4), .seconds(5)])
        #expect(
            viewer.ranges.map(\.fromStream) == [.second(18), .second(25)],
            "the replaced part of the stream was not played")
    }

    @Test func waitsForItsListUntilTheTimeout() {
        var waiting = viewer(tag("a", at: 20))
        _ = waiting.requests()
        waiting.tick(45)
        #expect(waiting.reading.state == .interstitial && waiting.reading.interstitial?.elapsed == .zero)
        #expect(waiting.playhead.nextWake == .seconds(68))
        var late = waiting
        late.answer("a", list(4), at: 46)
        late.tick(48)
        #expect(late.reading.interstitial?.elapsed == .seconds(2))
        waiting.tick(69)
        #expect(waiting.play("a")?.result == .cancelled)
        #expect(
            waiting.playhead.position == .second(21), "after a cancelled interstitial the stream resumes where it began"
        )
    }

    @Test func aFailedListIsSkipped() {
        var viewer = viewer(tag("a", at: 20))
        _ = viewer.requests()
        viewer.note(
            viewer.playhead.noteAssetFailure("answered with 404", for: "a", at: .second(37), on: viewer.timeline))
        viewer.tick(40)
        #expect(viewer.playhead.position == .second(22))
        #expect(viewer.play("a")?.result == .cancelled)
        #expect(viewer.ranges.count == 1, "the stream continued without a jump")
    }

    @Test(arguments: [("PLANNED-DURATION=20", 20.0), ("PLANNED-DURATION=20,X-RESUME-OFFSET=10", 30)])
    func anEmptyListPlaysNothing(_ more: String, _ resume: Double) {
        var viewer = viewer(tag("a", at: 20, more))
        viewer.answer("a", list(), at: 37)
        viewer.tick(38)
        #expect(viewer.playhead.position == .second(resume))
        #expect(viewer.play("a")?.result == .empty)
    }

    @Test func anEarlyReturnAppliesAtOnce() {
        var viewer = viewer(tag("a", at: 20))
        viewer.answer("a", list(20), at: 37)
        viewer.tick(44)
        viewer.reload(playlistText(1, tags: tag("a", at: 20, "PLANNED-DURATION=20,X-PLAYOUT-LIMIT=4")), at: 45)
        #expect(viewer.play("a")?.result == .limited)
        #expect(viewer.play("a")?.played == .seconds(7))
        #expect(viewer.playhead.position == .second(27))
    }

    @Test func aPauseStopsTheAssetsToo() {
        var viewer = viewer(tag("a", at: 20))
        viewer.answer("a", list(10), at: 37)
        viewer.note(viewer.playhead.pause(at: .second(40), on: viewer.timeline))
        viewer.tick(100)
        #expect(viewer.reading.state == .paused)
        #expect(viewer.reading.interstitial?.elapsed == .seconds(2))
        viewer.note(viewer.playhead.play(at: .second(100), on: viewer.timeline))
        viewer.tick(101)
        #expect(viewer.reading.interstitial?.elapsed == .seconds(3))
    }

    @Test func resumingPastTheEdgeStalls() {
        var viewer = viewer(tag("a", at: 20, "PLANNED-DURATION=20,X-RESUME-OFFSET=30"))
        viewer.answer("a", list(1), at: 37)
        viewer.tick(40)
        #expect(viewer.reading.state == .stalled)
        #expect(viewer.playhead.position == .second(50))
        viewer.reload(playlistText(4), at: 60)
        viewer.tick(61)
        #expect(viewer.playhead.position == .second(51))
    }

    @Test func resumingBeforeTheWindowGoesToTheLiveTarget() {
        var viewer = viewer(tag("a", at: 20, "PLANNED-DURATION=20,X-RESUME-OFFSET=0"))
        viewer.answer("a", list(20), at: 37)
        viewer.reload(playlistText(5), at: 57)
        #expect(viewer.reading.state == .interstitial, "the window may move on meanwhile")
        viewer.tick(59)
        #expect(viewer.playhead.position == .second(49))
        #expect(viewer.kinds.contains(.fellBehind))
    }

    @Test func joiningInTheMiddleSkipsAssets() {
        var viewer = viewer(tag("a", at: 10))
        #expect(viewer.requests().map(\.startOffset) == [.seconds(8)])
        #expect(viewer.reading.stream == .second(10))
        viewer.answer("a", list(5, 10), at: 36)
        #expect(
            viewer.reading.interstitial
                == InterstitialReading(id: "a", elapsed: .seconds(8), assetIndex: 1, assetOffset: .seconds(3)))
        viewer.tick(43)
        #expect(viewer.playhead.position == .second(25))
        #expect(viewer.play("a")?.played == .seconds(7))
    }

    /// Only its list tells how long it is: the viewer plays the rest of it, or the stream from where it was joined.
    @Test(arguments: [(20, 24), (8, 18), (3, 18)] as [(Double, Double)])
    func joiningOneOfUnknownLengthWaitsForItsList(length: Double, resume: Double) {
        var viewer = viewer(tag("a", at: 10, "X-RESTRICT=\"JUMP\""))
        #expect(viewer.requests().map(\.startOffset) == [.seconds(8)])
        viewer.tick(38)
        #expect(viewer.reading.interstitial?.elapsed == .seconds(8))
        viewer.answer("a", list(length), at: 38)
        let isOver = length <= 8
        #expect(viewer.reading.state == (isOver ? .playing : .interstitial))
        #expect((viewer.play("a") == nil) == isOver && viewer.playhead.position == .second(isOver ? 18 : 10))
        if isOver { #expect(viewer.kinds.contains(.interstitialEnded(id: "a", result: .empty))) }
        viewer.tick(isOver ? 38 : 44)
        #expect(viewer.reading.presentationDate == .second(resume))
    }

    /// Who joined inside one that is cancelled does not go back to where it began.
    @Test func aFailedListOfOneJoinedInsideResumesWhereItWasJoined() {
        var viewer = viewer(tag("a", at: 10))
        #expect(viewer.requests().map(\.startOffset) == [.seconds(8)])
        viewer.note(
            viewer.playhead.noteAssetFailure("answered with 404", for: "a", at: .second(37), on: viewer.timeline))
        #expect(viewer.play("a")?.result == .cancelled)
        #expect(viewer.playhead.position == .second(18))
    }

    /// Those of one date follow each other: who joins inside the first sees the others, who joins behind it the rest of the second.
    @Test(arguments: [(14, ["a", "b"]), (9, ["b"])] as [(Double, [String])])
    func joiningSeveralOfOneDatePlaysTheRest(start: Double, played: [String]) {
        let tags = ["a", "b"].map { tag($0, at: start, "DURATION=6") }
        var viewer = viewer(tags[0], tags[1])
        for id in ["a", "b"] { viewer.answer(id, list(6), at: 36) }
        viewer.tick(45)
        #expect(["a", "b"].filter { viewer.play($0) != nil } == played)
        #expect(viewer.assetSegments.first?.interstitialID == played.first)
        #expect(viewer.ranges.first.map(\.fromStream) == .second(start + 12))
    }

    @Test func breaksBeforeTheJoinArePassed() {
        var viewer = viewer(tag("a", at: 4, "DURATION=5"), tag("b", at: 18, "DURATION=5,X-RESUME-OFFSET=0"))
        #expect(viewer.requests().map(\.id) == ["b"])
        #expect(
            viewer.reading.interstitial?.id == "b",
            "an interstitial that starts at the join point is played from its beginning")
    }

    @Test func prerollAndPostroll() {
        let pre = tag("pre", at: 99, "DURATION=4,X-RESUME-OFFSET=0,CUE=\"PRE,ONCE\"")
        let post = tag("post", at: 0, "DURATION=3,CUE=\"POST\"")
        var viewer = viewer(pre, post, isComplete: true)
        #expect(viewer.reading.interstitial?.id == "pre")
        viewer.answer("pre", list(4), at: 36)
        viewer.tick(41)
        #expect(viewer.playhead.position == .second(1))
        viewer.answer("post", list(3), at: 42)
        viewer.tick(77)
        #expect(viewer.reading.interstitial?.id == "post")
        viewer.tick(80)
        #expect(viewer.reading.state == .ended)
        #expect(viewer.playhead.position == .second(36))
    }

    @Test func thoseAtOnePointPlayInTagOrder() {
        var viewer = viewer(
            tag("a", at: 20, "DURATION=3,X-RESUME-OFFSET=0"), tag("b", at: 20, "DURATION=2,X-RESUME-OFFSET=2"))
        viewer.answer("a", list(3), at: 36)
        viewer.answer("b", list(2), at: 36)
        viewer.tick(42)
        #expect(viewer.reading.interstitial?.id == "b")
        viewer.tick(44)
        #expect(viewer.playhead.position == .second(23))
        #expect(viewer.play("b")?.resume == .second(22))
    }

    @Test func anOverlappedInterstitialPlaysAfterwardsWithoutGoingBack() {
        var viewer = viewer(tag("a", at: 20, "DURATION=10"), tag("b", at: 22, "DURATION=3"))
        viewer.answer("a", list(10), at: 36)
        viewer.answer("b", list(3), at: 36)
        viewer.tick(49)
        #expect(viewer.reading.interstitial?.id == "b" && viewer.playhead.position == .second(30))
        viewer.tick(52)
        #expect(viewer.playhead.position == .second(31))
    }

    @Test func seekingIntoOneStartsItAndBeforeItPlaysItAgain() {
        var viewer = viewer(tag("a", at: 20, "DURATION=4"))
        viewer.answer("a", list(4), at: 36)
        viewer.tick(44)
        #expect(viewer.playhead.position == .second(26))
        viewer.note(viewer.playhead.seek(to: .second(22), at: .second(44), on: viewer.timeline))
        #expect(viewer.reading.interstitial?.elapsed == .zero && viewer.reading.stream == .second(20))
        viewer.note(viewer.playhead.seek(to: .second(18), at: .second(45), on: viewer.timeline))
        #expect(viewer.play("a")?.result == .skipped)
        viewer.tick(48)
        #expect(
            viewer.reading.interstitial
                == InterstitialReading(id: "a", elapsed: .seconds(1), assetIndex: 0, assetOffset: .seconds(1)))
    }

    @Test func onceIsOnce() {
        var viewer = viewer(tag("a", at: 20, "DURATION=4,X-RESUME-OFFSET=0,CUE=\"ONCE\""))
        viewer.answer("a", list(4), at: 36)
        viewer.tick(44)
        viewer.note(viewer.playhead.seek(to: .second(19), at: .second(44), on: viewer.timeline))
        viewer.tick(47)
        #expect(viewer.playhead.position == .second(22))
    }

    @Test func restrictJumpIsPlayedFirst() {
        var viewer = viewer(
            tag("a", at: 20, "DURATION=4,X-RESTRICT=\"JUMP\""), tag("b", at: 26, "DURATION=4,X-RESTRICT=\"JUMP\""))
        viewer.answer("a", list(4), at: 36)
        viewer.answer("b", list(4), at: 36)
        viewer.note(viewer.playhead.seek(to: .second(34), at: .second(36), on: viewer.timeline))
        #expect(viewer.reading.interstitial?.id == "b", "the nearest before the target")
        viewer.tick(41)
        #expect(viewer.playhead.position == .second(35))
    }

    @Test func restrictSkipPreventsForwardSeeksAndFasterRates() {
        var viewer = viewer(tag("a", at: 20, "DURATION=8,X-RESTRICT=\"SKIP\""))
        viewer.answer("a", list(8), at: 36)
        viewer.note(viewer.playhead.setRate(2, at: .second(38), on: viewer.timeline))
        viewer.tick(40)
        #expect(viewer.reading.interstitial?.elapsed == .seconds(2))
        viewer.note(viewer.playhead.seek(to: .second(30), at: .second(40), on: viewer.timeline))
        #expect(viewer.kinds.last == .seekRefused(id: "a"))
        #expect(viewer.reading.state == .interstitial)
        viewer.note(viewer.playhead.seek(to: .second(10), at: .second(41), on: viewer.timeline))
        #expect(viewer.playhead.position == .second(10))
    }

    @Test func goingLiveLandsInTheMiddle() {
        var viewer = viewer(tag("a", at: 12, "DURATION=20,X-RESUME-OFFSET=20"))
        viewer.answer("a", list(20), at: 36)
        viewer.note(viewer.playhead.seek(to: .second(2), at: .second(37), on: viewer.timeline))
        viewer.note(viewer.playhead.seekLive(at: .second(38), on: viewer.timeline))
        #expect(viewer.reading.interstitial?.elapsed == .seconds(6))
    }

    @Test func aRemovedInterstitialDoesNotPlay() {
        var viewer = viewer(tag("a", at: 24))
        viewer.answer("a", list(4), at: 36)
        viewer.reload(playlistText(1), at: 40)
        viewer.tick(46)
        #expect(viewer.reading.state == .playing && viewer.playhead.position == .second(28))
    }

    @Test func withoutInterstitialsTheStreamPlaysThrough() {
        var viewer = Viewer(playsInterstitials: false)
        viewer.reload(playlistText(0, tags: tag("a", at: 20)), at: 36)
        viewer.tick(40)
        #expect(viewer.playhead.position == .second(22))
        #expect(viewer.requests().isEmpty)
    }

    @Test func aSingleAssetOfUnknownLengthIsAskedFor() {
        let single =
            "#EXT-X-DATERANGE:ID=\"s\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(UnixTime.second(20).iso8601)\","
            + "X-ASSET-URI=\"https://ads.example.com/s.m3u8\",X-RESUME-OFFSET=0"
        var viewer = viewer(single)
        #expect(
            viewer.requests() == [InterstitialRequest(id: "s", kind: .asset, url: "https://ads.example.com/s.m3u8")])
        viewer.note(viewer.playhead.noteAssetDuration(.seconds(6), for: "s", at: .second(37), on: viewer.timeline))
        viewer.tick(45)
        #expect(viewer.playhead.position == .second(21))
        #expect(viewer.assetSegments.last?.toElapsed == .seconds(6))
    }

    /// The length of an asset that its list does not state is that of its playlist; one that cannot be loaded counts nothing (HLS-19).
    @Test func assetsWithoutDurationAreAskedForOneAfterAnother() {
        func asset(_ name: String, _ duration: Duration?) -> AssetList.Asset {
            AssetList.Asset(uri: "https://ads.example.com/\(name)", duration: duration)
        }
        var viewer = viewer(tag("a", at: 20, "X-RESUME-OFFSET=0"))
        _ = viewer.requests()
        viewer.answer("a", AssetList(assets: [asset("1", nil), asset("2", .seconds(4)), asset("3", nil)]), at: 37)
        #expect(
            viewer.requests() == [
                InterstitialRequest(id: "a", kind: .asset, url: "https://ads.example.com/1", asset: 0)
            ])
        #expect(viewer.requests().isEmpty, "one after another")
        viewer.tick(39)
        #expect(viewer.reading.state == .interstitial && viewer.reading.interstitial?.elapsed == .zero)
        viewer.note(
            viewer.playhead.noteAssetDuration(.seconds(6), for: "a", asset: 0, at: .second(39), on: viewer.timeline))
        #expect(viewer.requests().map(\.asset) == [2])
        viewer.note(
            viewer.playhead.noteAssetFailure(
                "answered with 404", for: "a", asset: 2, at: .second(39), on: viewer.timeline))
        #expect(viewer.requests().isEmpty)
        viewer.tick(55)
        #expect(viewer.play("a")?.result == .completed && viewer.play("a")?.played == .seconds(10))
        #expect(viewer.assetSegments.map(\.toElapsed).max() == .seconds(10))
    }

    /// Without any asset there is nothing to play. A stated length tells that of a last asset, which is not asked for.
    @Test func aListOfWhichNothingCanBeLoadedIsCancelled() {
        let asset = AssetList.Asset(uri: "https://ads.example.com/1", duration: nil)
        var failing = viewer(tag("a", at: 20, "X-RESUME-OFFSET=0"))
        var stated = viewer(tag("a", at: 20))
        _ = (failing.requests(), stated.requests())
        failing.answer("a", AssetList(assets: [asset]), at: 37)
        stated.answer("a", AssetList(assets: [asset]), at: 37)
        #expect(failing.requests().map(\.asset) == [0] && stated.requests().isEmpty)
        failing.note(
            failing.playhead.noteAssetFailure(
                "answered with 404", for: "a", asset: 0, at: .second(37), on: failing.timeline))
        failing.tick(39)
        #expect(failing.play("a")?.result == .cancelled)
    }

    @Test func assetsAreAskedForAheadOfTime() {
        var viewer = Viewer(start: .offset(.zero))
        viewer.reload(playlistText(0, count: 10, tags: tag("a", at: 30)), at: 60)
        #expect(viewer.requests().isEmpty)
        #expect(viewer.playhead.nextAssetRequest(on: viewer.timeline) == .seconds(72), "three target durations before")
        viewer.tick(72)
        #expect(viewer.requests().map(\.id) == ["a"])
        #expect(viewer.playhead.nextAssetRequest(on: viewer.timeline) == nil)
    }

    @Test func theNumberOfTicksDoesNotMatterWithInterstitials() {
        let seed: UInt64 = 0x7E57_0004
        var random = SplitMix64(seed: seed)
        for round in 0..<200 {
            let tags = (0..<Int.random(in: 1...4, using: &random)).map { number in
                let resume =
                    Bool.random(using: &random) ? ",X-RESUME-OFFSET=\(Int.random(in: -3...9, using: &random))" : ""
                let limit =
                    Bool.random(using: &random) ? ",X-PLAYOUT-LIMIT=\(Int.random(in: 0...6, using: &random))" : ""
                return tag(
                    "i\(number)", at: Double(Int.random(in: 10...34, using: &random)), "DURATION=5\(resume)\(limit)")
            }
            var sparse = viewer(tags.joined(separator: "\n"))
            for number in tags.indices { sparse.answer("i\(number)", list(2.5, 2.5), at: 36) }
            var dense = sparse
            for tick in (0..<40).map({ _ in Double(Int.random(in: 36_000...90_000, using: &random)) / 1_000 }).sorted()
            {
                dense.tick(tick)
            }
            sparse.tick(90)
            dense.tick(90)
            #expect(dense.ranges == sparse.ranges, "seed \(seed), round \(round)")
            #expect(dense.changes == sparse.changes, "seed \(seed), round \(round)")
            #expect(dense.reading == sparse.reading, "seed \(seed), round \(round)")
        }
    }
}
