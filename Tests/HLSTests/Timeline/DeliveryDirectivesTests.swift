import HLS
import Ports
import Testing

/// The directives of a low-latency reload (HLS-2 and HLS-3).
@Suite struct DeliveryDirectivesTests {
    private func timeline(
        parts: Int = 0, control: ServerControl, prefersLowLatency: Bool = true, hasEnded: Bool = false
    ) -> Timeline {
        var timeline = Timeline(prefersLowLatency: prefersLowLatency)
        _ = timeline.fold(
            steady(10) {
                $0.partTarget = .seconds(1)
                $0.serverControl = control
                $0.hasEndList = hasEnded
                $0.trailingParts = (0..<parts).map {
                    PartialSegment(sequence: 16, index: $0, uri: "p", duration: .seconds(1))
                }
            })
        return timeline
    }

    private let full = ServerControl(canSkipUntil: .seconds(36), canSkipDateRanges: true, canBlockReload: true)

    @Test func asksForThePartAfterTheLastOne() {
        #expect(
            DeliveryDirectives(for: timeline(control: full), age: .zero).added(to: nil)
                == "_HLS_msn=16&_HLS_part=0&_HLS_skip=v2")
        #expect(
            DeliveryDirectives(for: timeline(parts: 3, control: full), age: .zero)
                == DeliveryDirectives(sequence: 16, part: 3, skip: .segmentsAndDateRanges))
    }

    @Test func anOldCopyWantsACompletePlaylist() {
        #expect(DeliveryDirectives(for: timeline(control: full), age: .seconds(17.9)).skip == .segmentsAndDateRanges)
        #expect(DeliveryDirectives(for: timeline(control: full), age: .seconds(18)).skip == nil)
    }

    @Test func onlyWhatTheServerOffers() {
        let skipping = ServerControl(canSkipUntil: .seconds(36))
        #expect(DeliveryDirectives(for: timeline(control: skipping), age: .zero) == DeliveryDirectives(skip: .segments))
        #expect(DeliveryDirectives(for: timeline(control: ServerControl()), age: .zero) == DeliveryDirectives())
        #expect(
            DeliveryDirectives(for: timeline(control: full, prefersLowLatency: false), age: .zero)
                == DeliveryDirectives())
        #expect(DeliveryDirectives(for: timeline(control: full, hasEnded: true), age: .zero) == DeliveryDirectives())
        #expect(DeliveryDirectives(for: Timeline(prefersLowLatency: true), age: .zero) == DeliveryDirectives())
    }

    @Test func parametersAreSortedAndReplaced() {
        let directives = DeliveryDirectives(sequence: 7, part: 0, skip: .segments)
        #expect(
            directives.added(to: "token=a&_HLS_msn=6&Zone=1") == "Zone=1&_HLS_msn=7&_HLS_part=0&_HLS_skip=YES&token=a")
        #expect(directives.complete.added(to: "token=a") == "_HLS_msn=7&_HLS_part=0&token=a")
        #expect(DeliveryDirectives().added(to: "b=1&a=2") == "b=1&a=2", "without directives the query stays as it is")
        #expect(DeliveryDirectives().added(to: nil) == nil)
        #expect(directives.text == "_HLS_msn=7&_HLS_part=0&_HLS_skip=YES")
        #expect(
            DeliveryDirectives.removed(from: "http://h/a.m3u8?Zone=1&_HLS_msn=7&_HLS_skip=YES")
                == "http://h/a.m3u8?Zone=1")
        #expect(DeliveryDirectives.removed(from: "http://h/a.m3u8?_HLS_msn=7") == "http://h/a.m3u8")
        #expect(DeliveryDirectives.removed(from: "http://h/a.m3u8?b=1&&a") == "http://h/a.m3u8?b=1&&a")
    }
}
