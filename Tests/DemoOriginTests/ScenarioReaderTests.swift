import Testing

@testable import DemoOrigin

@Suite struct ScenarioReaderTests {
    private static let head = "name: x\nads: {a: {duration: 5s}}\n"

    @Test func everyFieldIsRead() throws {
        let loaded = try ScenarioReader.read(
            """
            name: full
            summary: All of it.
            stream: {segment: 1500ms, window: 1m}
            metadata: {window: 90s, ahead: 6s}
            session: {redirect: pmm-3}
            breaks:
              every: 40s
              first: 5s
              pods:
                - [a, b]
                - {ads: [b], oddities: [missing-id]}
            ads:
              a:
                duration: 10.01s
                display-id: "ä"
                more-events: [other]
                urls: {start: 2}
                hidden: [{to: 3s}, {from: 4s, to: 5s}]
                oddities: [numeric-id]
              b: {duration: 5s, events: [start]}
            beacons:
              - {ad: a, event: start, n: 2, status: 503, times: 2}
              - {delay: 3s}
              - {event: complete, drop: reset}
              - {redirect: 3}
              - {redirect: loop}
            """, file: "f.yaml")
        let scenario = loaded.scenario
        #expect(loaded.warnings.isEmpty)
        #expect(scenario.name == "full" && scenario.summary == "All of it.")
        #expect(scenario.stream == StreamShape(segmentMs: 1_500, windowMs: 60_000))
        #expect(scenario.metadata.windowMs == 90_000 && scenario.metadata.aheadMs == 6_000)
        #expect(scenario.session.redirectInstance == "pmm-3")
        let pods = [Pod(ads: ["a", "b"]), Pod(ads: ["b"], oddities: [.missingId])]
        #expect(scenario.breaks == BreakPattern(everyMs: 40_000, firstMs: 5_000, pods: pods))
        let a = try #require(scenario.ads["a"])
        #expect(a.durationMs == 10_010 && a.displayId == "ä" && a.oddities == [.numericId])
        #expect(a.hiddenMs == [0..<3_000, 4_000..<5_000])
        #expect(a.events.count == AdEvent.standard.count + 1)
        #expect(a.events.first { $0.name == "start" }?.urlCount == 2)
        #expect(scenario.ads["b"]?.events == [AdEvent(name: "start")])
        #expect(
            scenario.beacons == [
                BeaconRule(ad: "a", event: "start", urlIndex: 2, answer: .status(503), times: 2),
                BeaconRule(answer: .delay(ms: 3_000)), BeaconRule(event: "complete", answer: .drop(.reset)),
                BeaconRule(answer: .redirect(hops: 3)), BeaconRule(answer: .redirectLoop),
            ])
    }

    @Test(arguments: [
        ("{every: poll, ids: yes}", MetadataChanges(ids: true)),
        ("{every: instance, ids: yes, starts: 1ms}", MetadataChanges(pace: .instance, ids: true, startsMs: 1)),
        (
            "{every: 25s, starts: 12s, cache-buster: zx}",
            MetadataChanges(pace: .every(25_000), startsMs: 12_000, cacheBuster: "zx")
        ),
    ]) func changesOfMetadataAreRead(_ text: String, _ changes: MetadataChanges) throws {
        let scenario = try ScenarioReader.read(
            "name: x\nsession: {token: 20s}\nmetadata: {changes: \(text)}\n"
                + "ads: {a: {duration: 5s, fixed-urls: yes, media: flash}}\n", file: "f.yaml"
        ).scenario
        #expect(scenario.metadata.changes == changes)
        #expect(scenario.session.tokenMs == 20_000)
        #expect(scenario.ads["a"]?.hasFixedURLs == true)
        #expect(scenario.ads["a"]?.media == .flash)
    }

    @Test(arguments: [
        (
            "{every: often}",
            "\"metadata.changes.every\" must be a duration such as 30s, 10.01s, 1500ms or 3m, not \"often\""
        ),
        ("{starts: 61s}", "\"metadata.changes.starts\" is 61000 ms, it must be 1 to 60000 ms"),
    ]) func otherChangesAreErrors(_ text: String, _ message: String) {
        let error = #expect(throws: ScenarioIssue.self) {
            try ScenarioReader.read("name: x\nmetadata: {changes: \(text)}\n", file: "f.yaml")
        }
        #expect(error?.message == message)
        #expect(error?.line == 2)
    }

    @Test func streamsOfEveryShapeAreRead() throws {
        let scenario = try ScenarioReader.read(
            """
            name: shapes
            stream:
              segment: 2s
              part: 500ms
              backup: yes
              date-jump: 7s
              stall: {every: 50s, for: 10s}
              markers: [adobe, open]
            metadata: none
            vast-tag: "/ads/vast?break=[BREAKPOSITION]"
            breaks:
              every: 40s
              pods: [{ads: [a], wrappers: 2, marker-error: {late: 240ms, longer: 1s}}]
            ads:
              a: {duration: 5s, events: [start], progress: [3s]}
            decisions:
              - {endpoint: vast, pod: 1, delay: 700ms, times: 2}
            """, file: "f"
        ).scenario
        var shape = StreamShape(segmentMs: 2_000, windowMs: 60_000)
        shape.partMs = 500
        shape.hasBackup = true
        shape.dateJumpMs = 7_000
        shape.stall = StallPattern(everyMs: 50_000, lengthMs: 10_000)
        shape.markers = [.adobe, .open]
        #expect(scenario.stream == shape)
        #expect(!scenario.metadata.isServed)
        #expect(scenario.vastTag == "/ads/vast?break=[BREAKPOSITION]")
        #expect(scenario.breaks?.pods.map(\.wrappers) == [2])
        #expect(scenario.breaks?.pods.map(\.markerError) == [MarkerError(lateMs: 240, longerMs: 1_000)])
        #expect(scenario.ads["a"]?.events.map(\.name) == ["start", "progress"])
        #expect(scenario.ads["a"]?.events.last?.progressMs == 3_000)
        #expect(
            scenario.decisions == [
                DecisionRule(endpoint: .vast, pod: 1, answer: .delay(ms: 700), times: 2)
            ])
    }

    @Test func interstitialsAreRead() throws {
        let pattern = try #require(
            try ScenarioReader.read(
                """
                name: inter
                ads: {a: {duration: 5s}}
                breaks:
                  as: interstitials
                  every: 40s
                  preroll: {ads: [a], interstitial: {cue: [once], resume: 0s}}
                  pods:
                    - ads: [a]
                      interstitial: {asset: uri, snap: [out, in], restrict: [skip], occupies: range, shift: 400ms}
                    - ads: [a]
                      interstitial: {limit: 3s, list-skip-after: 2, pod-tracking: yes}
                """, file: "f"
            ).scenario.breaks)
        #expect(pattern.delivery == .interstitials)
        #expect(pattern.preroll?.interstitial == InterstitialShape(cues: [.pre, .once], resumeOffsetMs: 0))
        #expect(
            pattern.pods.map(\.interstitial) == [
                InterstitialShape(
                    asset: .uri, snap: [.out, .in], restrictions: [.skip], occupation: .range, shiftMs: 400),
                InterstitialShape(
                    playoutLimitMs: 3_000, skipAfterS: 2, hasSkipControlInList: true, hasPodTracking: true),
            ])
    }

    @Test(arguments: BuiltinScenarios.names) func builtinScenariosAreCleanAndNamedAsListed(name: String) throws {
        let loaded = try #require(try BuiltinScenarios.load(name))
        #expect(loaded.warnings.isEmpty)
        #expect(loaded.scenario.name == name)
        #expect(!loaded.scenario.summary.isEmpty)
    }

    @Test func anUnknownNameIsNoScenario() throws {
        #expect(try BuiltinScenarios.load("nope") == nil)
        #expect(BuiltinScenarios.names.contains(BuiltinScenarios.demoName))
    }

    @Test func unknownKeysWarnWithTheirPlace() throws {
        let loaded = try ScenarioReader.read(
            "name: x\nads:\n  a: {duration: 5s, colour: red}\nextra: 1\n", file: "f.yaml")
        #expect(loaded.warnings.map { "\($0.line)" } == ["4", "3"])
        #expect(
            loaded.warnings[0].description.hasPrefix("f.yaml:4:8: unknown key \"extra\" ignored; known keys: ads,"))
    }

    private static let faults: [(String, String?)] = [
        ("", "f:1:1: the file is empty"),
        ("- a\n", "f:1:1: the file must be a mapping (key: value)"),
        ("summary: x\n", "f:1:1: \"name\" is missing"),
        ("name: X y\n", "f:1:7: \"name\" must be 1 to 64 of a-z, 0-9 and \"-\", not \"X y\""),
        ("name: x\nname: y\n", "f:1:1: the same key twice: name"),
        (
            "name: x\nstream: {segment: 2}\n",
            "f:2:19: \"stream.segment\" must be a duration such as 30s, 10.01s, 1500ms or 3m, not \"2\""
        ),
        ("name: x\nstream: {segment: 1ms}\n", "f:2:19: \"stream.segment\" is 1 ms, it must be 250 to 60000 ms"),
        (
            "name: x\nstream: {segment: 10s, window: 20s}\n",
            "f:2:9: the window of 20000 ms holds fewer than three segments of 10000 ms"
        ),
        ("name: x\nads: {a: {}}\n", "f:2:10: the ad's \"duration\" is missing"),
        (
            "name: x\nads: {A: {duration: 1s}}\n",
            "f:2:10: an ad's name must be 1 to 64 of a-z, 0-9 and \"-\", not \"A\""
        ),
        ("name: x\nads: {a: {duration: 1s, oddities: [odd]}}\n", nil),
        ("name: x\nads: {a: {duration: 1s, urls: {zap: 2}}}\n", "f:2:37: the ad has no event \"zap\""),
        (
            "name: x\nads: {a: {duration: 1s, urls: {start: 9}}}\n",
            "f:2:39: \"ads.a.urls.start\" must be a whole number from 1 to 8, not \"9\""
        ),
        (
            "name: x\nads: {a: {duration: 1s, hidden: [{from: 2s, to: 1s}]}}\n",
            "f:2:34: \"from\" must be before \"to\""
        ),
        ("name: x\nbreaks: {every: 10s}\n", "f:2:9: \"breaks.pods\" is missing"),
        ("name: x\nbreaks: {pods: []}\n", "f:2:9: \"breaks.every\" is missing"),
        ("name: x\nbreaks: {every: 10s, pods: []}\n", "f:2:28: \"breaks.pods\" needs at least one pod"),
        ("name: x\nbreaks: {every: 10s, pods: [[]]}\n", "f:2:29: a pod needs at least one ad"),
        ("name: x\nbreaks: {every: 10s, pods: [[b]]}\n", "f:2:29: \"b\" is not defined in \"ads\""),
        (
            head + "breaks: {every: 8s, pods: [[a]]}\n",
            "f:3:28: the pod of 5000 ms and one segment of content do not fit into 8000 ms"
        ),
        ("name: x\nsession: {redirect: other}\n", "f:2:21: \"session.redirect\" must begin with \"pmm-\""),
        (
            head + "beacons: [{event: start}]\n",
            "f:3:11: a beacon rule needs exactly one of status, delay, redirect, drop"
        ),
        (
            head + "beacons: [{status: 200, delay: 1s}]\n",
            "f:3:11: a beacon rule needs exactly one of status, delay, redirect, drop"
        ),
        (head + "beacons: [{ad: b, status: 404}]\n", "f:3:11: \"b\" is not defined in \"ads\""),
        (
            head + "beacons: [{status: 99}]\n",
            "f:3:20: \"beacons[0].status\" must be a whole number from 200 to 599, not \"99\""
        ),
        (
            head + "decisions: [{endpoint: smtp, status: 404}]\n",
            "f:3:24: \"decisions[0].endpoint\" must be one of vast, vmap, asset-list, bid-cache, not \"smtp\""
        ),
        (
            head + "decisions: [{pod: 1}]\n",
            "f:3:13: a decision rule needs exactly one of status, delay, redirect, drop"
        ),
        (head + "metadata: some\n", "f:3:11: \"metadata\" must be none, not \"some\""),
        (
            head + "vast-tag: http://x/\n",
            "f:3:11: \"vast-tag\" must be a path below /ads/ without blanks, not \"http://x/\""
        ),
        (
            "name: x\nstream: {part: 4s}\n",
            "f:2:9: a part must be shorter than a segment"
        ),
        (
            "name: x\nstream: {part: 500ms, finished: yes}\n",
            "f:2:9: a finished stream has no parts"
        ),
        (
            "name: x\nstream: {stall: {every: 9s, for: 9s}}\n",
            "f:2:34: a stall must end before the next begins"
        ),
        (
            "name: x\nstream: {finished: maybe}\n",
            "f:2:20: \"stream.finished\" must be one of yes, no, not \"maybe\""
        ),
        (
            head + "breaks: {every: 30s, pods: [{ads: [a, a], wrappers: 2}]}\n",
            "f:3:53: a pod in wrappers must have one ad"
        ),
        (
            head + "breaks: {every: 30s, preroll: [a], pods: [[a]]}\n",
            "f:3:31: \"preroll\" needs \"as: interstitials\""
        ),
        (
            head + "beacons: [{drop: gently}]\n",
            "f:3:18: \"beacons[0].drop\" must be one of close, reset, not \"gently\""
        ),
    ]

    @Test(arguments: faults) func whatIsWrongIsNamedWithItsPlace(text: String, expected: String?) {
        let issue = #expect(throws: ScenarioIssue.self) { try ScenarioReader.read(text, file: "f") }
        if let expected { #expect(issue?.description == expected) }
    }

    @Test func aTextThatIsNotYAMLNamesItsPlace() {
        let issue = #expect(throws: ScenarioIssue.self) { try ScenarioReader.read("name: x\nads: [\n", file: "f") }
        #expect(issue?.line == 3)
        #expect(issue?.message.hasPrefix("not valid YAML: ") == true)
    }

    @Test func aHugeFileIsRefused() {
        let text = "name: x\n" + String(repeating: "#\n", count: ScenarioLimits.fileBytes / 2)
        #expect(throws: ScenarioIssue.self) { try ScenarioReader.read(text, file: "f") }
    }

    private static let durations: [(String, Int?)] = [
        ("30s", 30_000), ("10.01s", 10_010), ("1500ms", 1_500), ("3m", 180_000), ("2h", 7_200_000), ("0s", 0),
        ("0.5m", 30_000),
        ("30", nil), ("s", nil), ("", nil), ("-1s", nil), ("1.s", nil), (".5s", nil), ("1.2.3s", nil), ("0.5ms", nil),
        ("10.0001s", nil), ("99999999999999999999s", nil), ("9223372036854775807h", nil), ("٣s", nil), ("1 s", nil),
    ]

    @Test(arguments: durations) func durationsCarryTheirUnit(text: String, expected: Int?) {
        #expect(DurationText.milliseconds(text) == expected)
    }
}
