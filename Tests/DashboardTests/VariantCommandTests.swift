import HLS
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// `:variant`: choosing what is followed, and what there is to choose from.
@Suite struct VariantCommandTests {
    private static func snapshot(wish: VariantWish = .best) -> Snapshot {
        var snapshot = SnapshotSamples.midBreak
        snapshot.playlist.variants = [(5_200_000, 1_080), (2_400_000, 720), (2_000_000, 720), (800_000, 360)]
            .enumerated()
            .compactMap { index, step in
                guard let url = try? WebURL("https://cdn.example.net/live/\(step.1)/v\(index).m3u8?sid=7f3a") else {
                    return nil
                }
                var variant = Variant(uri: url.text)
                variant.bandwidth = step.0
                variant.resolution = Resolution(width: step.1 * 16 / 9, height: step.1)
                return VariantOption(number: index + 1, variant: variant, url: url)
            }
        snapshot.playlist.variant = VariantView(
            number: 1, bandwidth: 5_200_000, resolution: "1920x1080", redundantCount: 0, isFallback: false, wish: wish)
        return snapshot
    }

    private static func typed(_ line: String, _ snapshot: Snapshot = snapshot()) throws -> DashboardSample {
        var sample = DashboardSample(snapshot, 120, 40)
        try sample.press(":")
        sample.type(line)
        try sample.press("Enter")
        return sample
    }

    @Test func aVariantIsAskedFor() throws {
        #expect(try Self.typed("variant 720").effects == [.variant(.number(720))])
        #expect(try Self.typed("variant v3.m3u8").effects == [.variant(.uri("v3.m3u8"))])
        #expect(DashboardEffect.variant(.worst).input == .variantChosen(.worst))
        // Before a playlist arrived the session decides.
        #expect(try Self.typed("variant 99p", SnapshotSamples.midBreak).effects == [.variant(.height(99))])
    }

    @Test func whatFitsNothingIsAnsweredWhereItWasTyped() throws {
        let sample = try Self.typed("variant 480")
        #expect(sample.effects.isEmpty)
        #expect(
            sample.state.toasts.last?.text
                == "variant '480': there is none such; choose one of 1920x1080 5,200 kbit/s v0.m3u8, "
                + "1280x720 2,400 kbit/s v1.m3u8, 1280x720 2,000 kbit/s v2.m3u8, 640x360 800 kbit/s v3.m3u8")
        #expect(try Self.typed("variant .m3u8").state.toasts.last?.text.contains("this fits several") == true)
    }

    @Test func aloneItListsWhatThereIs() throws {
        let sample = try Self.typed("variant")
        #expect(sample.effects.isEmpty)
        #expect(
            sample.state.toasts.last?.text.hasPrefix(
                "variant 1 of 4 is followed (best): 1920x1080 5,200 kbit/s v0.m3u8, ")
                == true)
        #expect(
            try Self.typed("variant", SnapshotSamples.midBreak).state.toasts.last?.text
                == "the stream has one playlist and no variants")
    }

    @Test func tabCompletesWhatTheStreamHas() throws {
        let words = VariantWords.of(Self.snapshot().playlist)
        #expect(words.prefix(5) == ["best", "worst", "1080p", "720p", "360p"])
        #expect(words.contains("2400000") && words.contains("v3.m3u8") && Set(words).count == words.count)
        #expect(Completion.candidates(for: "variant 7", themes: [], variants: words).first?.line == "variant 720p")
        #expect(Completion.candidates(for: "vari", themes: []).map(\.line) == ["variant"])
        var sample = DashboardSample(Self.snapshot(), 120, 40)
        try sample.press(":")
        sample.type("variant 3")
        try sample.press("Tab")
        #expect(sample.state.entry?.line.text == "variant 360p")
        // Names from outside that no command could hold are not offered.
        var odd = Self.snapshot().playlist
        odd.variants[0].variant.bandwidth = -1
        odd.variants = Array(repeating: odd.variants[0], count: 1_000)
        #expect(VariantWords.of(odd).count <= 6)
    }

    private func text(_ snapshot: Snapshot) -> String {
        let sample = DashboardSample(snapshot, 160, 40)
        return TextWriter.text(of: Renderer.pane(.session, snapshot, sample.state, now: sample.now))
    }

    @Test func theSessionShowsWhyAVariantIsFollowed() {
        var snapshot = Self.snapshot()
        #expect(!text(snapshot).contains("chosen by") && !text(snapshot).contains("replaces"))
        snapshot.playlist.variant?.wish = .height(1_080)
        #expect(text(snapshot).contains("1920x1080  chosen by 1080p"))
        snapshot.playlist.variant?.isFallback = true
        snapshot.playlist.variant?.hasSteppedDown = true
        #expect(text(snapshot).contains("replaces a rejected variant"))
        snapshot.playlist.variant?.hasSteppedDown = false
        #expect(text(snapshot).contains("replaces a failed variant"))
    }

    @Test func theAddressThatFailsIsThatOfTheVariant() {
        var snapshot = SnapshotSamples.failing
        (snapshot.playlist.variants, snapshot.playlist.variant) =
            (Self.snapshot().playlist.variants, Self.snapshot().playlist.variant)
        func rows() -> [String] { TextWriter.rows(of: DashboardSample(snapshot, 120, 40).frame.grid) }
        #expect(rows().contains { $0.contains("playlist https://cdn.example.net/live/1080/v0.m3u8") })
        // Another one is followed by then.
        snapshot.session.playlistHealth.failedURL = "https://cdn.example.net/live/360/v2.m3u8"
        #expect(rows().contains { $0.contains("playlist https://cdn.example.net/live/360/v2.m3u8") })
        snapshot.session.playlistHealth.failedURL = nil
        snapshot.playlist.variant = nil
        #expect(!rows().contains { $0.contains("v0.m3u8") })
    }
}
