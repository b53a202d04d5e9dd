import AdFormats
import AdTracking
import Ports
import VAST

@testable import Session

/// Ad spaces in every state, reached by inputs.
enum FormatsSamples {
    /// One slot with an ad.
    static func slot(
        _ name: String, _ unit: String, _ format: AdFormat, _ surface: JSONValue, size: String? = nil,
        placement: AdPlacementKind? = nil, on profile: DeviceProfile = .phone, _ inputs: [SlotInput],
        playedFor span: Duration = .zero
    ) throws -> AdSlot {
        let start = SnapshotSamples.now.advanced(by: .zero - span)
        let plugin = try StaticPlugin(configuration: [
            "units": .object(JSONObject([.init(name: unit, value: surface)]))
        ])
        var settings = AdSlot.Settings()
        settings.profile = profile
        var slot = AdSlot(
            name: name, provider: "adserver", presenter: try plugin.makePresenter(slot: name, format: format),
            config: AdConfig(unit: unit, format: format, placement: placement, sizeName: size),
            parameters: RequestParameters(profile: profile, version: "0.1"), settings: settings)
        for input in inputs { _ = slot.apply(input, at: start) }
        var now = start
        while let due = slot.nextDue(after: now.uptime), due <= SnapshotSamples.now.uptime, due > now.uptime {
            now = now.advanced(by: due - now.uptime)
            _ = slot.apply(.woke, at: now)
        }
        return slot
    }

    private static let banner: JSONValue = [
        "html": "<p><b>Mountain bikes</b> from 20 EUR</p><p><a href='https://shop.example/b'>See all</a></p>",
        "refresh": 30,
    ]

    private static let card = """
        <Creative><CompanionAds><Companion width="768" height="1024"><HTMLResource>https://cdn.example/end.htm</HTMLResource>
        </Companion></CompanionAds></Creative>
        """

    /// A rewarded video without an end card, with the messages of FMT-20.
    static let cardless = document.replacing(card, with: "").replacing(
        "<RewardedVideoOn>",
        with: """
            <PreRollMessageOn>1</PreRollMessageOn><PostRollMessageOn>1</PostRollMessageOn><RewardedVideoOn>
            """)

    static let document = """
        <VAST version="3.0"><Ad><InLine><AdTitle>Head torches</AdTitle><Impression>https://t.example/i</Impression><Creatives>
        <Creative><Linear skipoffset="00:00:08"><Duration>00:00:10</Duration><MediaFiles><MediaFile delivery="progressive"
        type="video/mp4" bitrate="1128" width="854" height="480">https://cdn.example/m.mp4</MediaFile></MediaFiles></Linear>
        </Creative>\(card)</Creatives><Extensions><Extension name="RewardedVideo">
        <RewardedVideoOn>1</RewardedVideoOn><VirtualCurrency>Lives</VirtualCurrency><RewardPerView>12</RewardPerView></Extension>
        </Extensions></InLine></Ad></VAST>
        """

    private static let media: SlotInput = .mediaPrepared(
        PreparedMedia(
            url: "https://cdn.example/m.mp4", quality: "mid", width: 854, height: 480, bitrate: 1_128,
            age: .seconds(2_467), reason: "the last low download took 2.4 s, between 2 and 3 s"))

    static func rewarded(
        _ name: String, _ more: [SlotInput], playedFor span: Duration = .zero, document: String = document
    ) throws -> AdSlot {
        try slot(
            name, "zone-9001", .rewarded, ["vast": .string(document)], [.load, .zoneLookedUp(nil), media] + more,
            playedFor: span)
    }

    static let native: JSONValue = [
        "native": [
            "assets": [
                ["title": ["text": "Ride further"]], ["data": ["type": 3, "value": "4.5"]],
                ["data": ["type": 12, "value": "Download Now"]],
                ["img": ["type": 1, "url": "https://n.example/i.png", "w": 80, "h": 80]],
                ["img": ["type": 3, "url": "https://n.example/m.jpg", "w": 1200, "h": 627]],
            ],
            "link": ["url": "https://shop.example/app"], "imptrackers": ["https://t.example/imp"],
        ]
    ]

    private static func view(
        _ slots: [AdSlot], isUp: Bool? = true, isHidden: Bool = false, plugins: [FormatsView.Plugin] = []
    ) -> Snapshot {
        var snapshot = SnapshotSamples.midBreak
        snapshot.formats = FormatsView(
            slots: slots.map { slot in
                FormatsView.Slot(
                    slot: slot,
                    reports: slot.marks.contains(.impression)
                        ? [
                            .init(
                                event: "impression", urls: ["https://t.example/imp"], state: .done,
                                at: SnapshotSamples.now.wall)
                        ] : [])
            }, plugins: plugins, server: "ads.example.net", isUp: isUp, isHidden: isHidden)
        return snapshot
    }

    /// Every format, every state.
    static func all() throws -> Snapshot {
        try view([
            slot("inline-1", "zone-4711", .banner, banner, [.load], playedFor: .seconds(13)),
            slot("inline-2", "zone-4712", .banner, banner, size: "BOX_BANNER", [.shareVisible(0.38), .load]),
            slot("footer", "zone-4713", .banner, ["html": " "], [.load]),
            slot("idle", "zone-4714", .banner, banner, []),
            slot("waiting", "zone-4715", .rewarded, ["vast": "<VAST/>"], [.load]),
            slot("page", "zone-8001", .interstitial, ["html": "<h1>Tents</h1><p>Three days only.</p>"], [.load]),
            rewarded("overlay", [.show], playedFor: .milliseconds(3_400)),
            slot("feed-3", "native-7", .native, native, [.load, .click], playedFor: .seconds(3)),
            slot("gone", "zone-8002", .interstitial, ["html": "<p>Bye"], [.load, .show, .dismiss]),
        ])
    }

    /// Rewarded video in its phases.
    static func phases() throws -> Snapshot {
        try view([
            rewarded("ready", []), rewarded("paused", [.show, .pauseToggled], playedFor: .seconds(2)),
            rewarded("card", [.show], playedFor: .seconds(11)),
            rewarded("closed", [.show, .removed]),
        ])
    }

    /// No server answers, and the pane is hidden.
    static func down() throws -> Snapshot {
        try view(
            [slot("inline-1", "zone-4711", .banner, banner, [.hidden(true), .load])], isUp: false, isHidden: true)
    }

    /// Ad spaces of plugins: one serves, one hangs, one died.
    static func plugins() throws -> Snapshot {
        func filled(_ name: String, by plugin: String, _ inputs: [SlotInput], for span: Duration) throws -> AdSlot {
            let own = SubprocessPlugin(PluginManifest(identifier: plugin, name: plugin), configuration: .null)
            let start = SnapshotSamples.now.advanced(by: .zero - span)
            var slot = AdSlot(
                name: name, provider: plugin, presenter: try own.makePresenter(slot: name, format: .banner),
                config: AdConfig(unit: "unit-\(name)", format: .banner), parameters: RequestParameters(version: "0.1"))
            for input in inputs { _ = slot.apply(input, at: start) }
            _ = slot.apply(.woke, at: SnapshotSamples.now)
            return slot
        }
        let html = AdPayload(surface: banner).map {
            SlotInput.pluginSent(.loaded(presenter: "home", $0))
        }
        return try view(
            [
                filled("home", by: "py", [.load] + [html].compactMap(\.self), for: .seconds(3)),
                filled("slow", by: "snail", [.load], for: .seconds(11)),
                filled(
                    "gone", by: "mayfly", [.load, .pluginEnded("the plugin ended with status 3")], for: .seconds(1)),
            ],
            plugins: [
                .init(identifier: "py", provider: "py", state: .ready, reason: nil, runs: 1),
                .init(identifier: "snail", provider: "snail", state: .ready, reason: nil, runs: 1),
                .init(
                    identifier: "mayfly", provider: "", state: .ended, reason: "the plugin ended with status 3", runs: 4
                ),
            ])
    }

    /// A banner of the screen below one of a list.
    static func screenBanner(on profile: DeviceProfile = .phone, isThere: Bool = true) throws -> Snapshot {
        try view([
            slot("inline-1", "zone-4711", .banner, banner, on: profile, [.load], playedFor: .seconds(13)),
            slot(
                "footer", "zone-4713", .banner, isThere ? banner : ["html": " "], placement: .screenBanner, on: profile,
                [.load], playedFor: .seconds(13)),
        ])
    }

    /// One ad over the panes.
    static func shown(_ ad: AdSlot, _ more: AdSlot...) throws -> Snapshot {
        try view([slot("inline-1", "zone-4711", .banner, banner, [.load], playedFor: .seconds(13)), ad] + more)
    }

    static let interstitial: JSONValue = [
        "html": """
        <script src="mraid.js"></script><h1>Tents</h1><p>Three days only. <a href='https://shop.example/tents'>See all</a></p>
        <img src='https://cdn.example/tent.jpg'><script>mraid.expand()</script>
        """
    ]
}
