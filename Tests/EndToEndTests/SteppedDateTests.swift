import Foundation
import Locks
import Ports
import ScriptedServers
import TestSupport
import Testing

/// The dates of the playlist step inside a pod while its media continues (TRK-30), in the real program.
@Suite struct SteppedDateTests {
    /// Where the dates step, and the pod there by the dates before the step.
    private struct Step: Sendable {
        var segment: Int
        var podStart: UnixTime
    }

    /// One segment of a playlist.
    private struct Segment {
        var number: Int
        var lines: [Substring] = []

        var date: UnixTime? {
            lines.lazy.compactMap { line in
                line.hasPrefix(SteppedDateTests.dateTag)
                    ? UnixTime(typed: line.dropFirst(SteppedDateTests.dateTag.count)) : nil
            }.first
        }
    }

    private static let dateTag = "#EXT-X-PROGRAM-DATE-TIME:"
    private static let numberTag = "#EXT-X-MEDIA-SEQUENCE:"
    private static let countTag = "#EXT-X-DISCONTINUITY-SEQUENCE:"
    /// A second of a pod, which is in its first ad.
    private static let segmentsBeforeStep = 4

    private static func segments(of text: String) -> [Segment] {
        let lines = text.split(separator: "\n")
        guard
            let first = lines.first(where: { $0.hasPrefix(numberTag) }).flatMap({ Int($0.dropFirst(numberTag.count)) })
        else { return [] }
        var segments = [Segment(number: first)]
        for line in lines {
            let last = segments.count - 1
            segments[last].lines.append(line)
            if !line.hasPrefix("#") { segments.append(Segment(number: first + segments.count)) }
        }
        return segments.dropLast()
    }

    /// The first pod that begins after segment `number`.
    private static func step(in text: String, after number: Int) -> Step? {
        let pod = segments(of: text).first { segment in
            segment.number > number && segment.lines.contains { $0.hasPrefix("#EXT-X-CUE-OUT:") }
        }
        guard let pod, let date = pod.date else { return nil }
        return Step(segment: pod.number + segmentsBeforeStep, podStart: date)
    }

    /// The playlist with dates that are off by `span` from the step on.
    private static func stepped(_ text: String, _ step: Step, by span: Duration) -> String {
        let segments = Self.segments(of: text)
        let isOver = segments.first.map { $0.number > step.segment } ?? false
        let lines = segments.flatMap { segment -> [String] in
            segment.lines.flatMap { line -> [String] in
                if isOver, line.hasPrefix(countTag), let count = Int(line.dropFirst(countTag.count)) {
                    return ["\(countTag)\(count + 1)"]
                }
                guard segment.number >= step.segment, line.hasPrefix(dateTag), let date = segment.date else {
                    return [String(line)]
                }
                let moved = dateTag + (date + span).iso8601
                return segment.number == step.segment ? ["#EXT-X-DISCONTINUITY", moved] : [moved]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// All beacons of the pod arrive, each once, whatever its dates became; its metadata has those from before.
    @Test(arguments: [1_000, -1_000]) func noBeaconOfThePodIsLost(milliseconds: Int) async throws {
        let (known, step) = (Locked<Int?>(nil), Locked<Step?>(nil))
        let origin = try await GuardedOrigin { visit in
            guard visit.target.contains("/01.m3u8") || visit.target.contains("/02.m3u8") else { return .pass() }
            return .change { text in
                // The pods of the first playlist were over, or on air, when the viewer came.
                let last = Self.segments(of: text).last?.number ?? 0
                let first = known.withLock { known -> Int in
                    known = known ?? last
                    return known ?? last
                }
                let here = step.withLock { step -> Step? in
                    step = step ?? Self.step(in: text, after: first)
                    return step
                }
                return here.map { Self.stepped(text, $0, by: .milliseconds(milliseconds)) } ?? text
            }
        }
        let state = try TemporaryFolder()
        let session = "0123456789abcdef"
        let program = try AdtopChild(
            [
                "\(origin.url())?sessid=\(session)", "--no-init-request", "--poll", "500ms", "--dump", "--format",
                "json", "--for", "150s",
            ], state: state.path)
        try await origin.wait(for: "a pod") { _ in step.withLock { $0 != nil } }
        let start = try #require(step.withLock { $0 }).podStart.milliseconds
        // The longest pod has four seconds, and the next begins after five.
        let plan = origin.document(
            "/plan?sessid=\(session)&fromMs=\(start - 1)&toMs=\(start + 4_200)&continues=true")
        let beacons = try JSONReader.read(plan)["beacons"]?.arrayValue ?? []
        let expected = Set(
            beacons.map { beacon in
                let url = beacon["url"]?.stringValue ?? ""
                return "GET " + String(url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
            })
        #expect(expected.count >= 12, "\(expected)")
        try await origin.wait(for: "the beacons of the pod") { requests in
            expected.isSubset(of: requests.map(\.line))
        }
        // Those of the next pod, so that a repetition would be seen.
        try await origin.waitForBeacons(origin.beacons.count + 4)
        let run = try await program.interrupt()
        try await origin.stop()
        let document = DumpedSession(json: try run.json())
        #expect(document.phase == "running", "\(run.errors)")
        #expect(document.findings.contains(milliseconds > 0 ? "pdt-jump" : "pdt-backwards"), "\(document.findings)")
        let sent = origin.beacons.map(\.line)
        #expect(Set(sent).count == sent.count)
    }
}
