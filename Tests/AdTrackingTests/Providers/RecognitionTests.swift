import Ports
import Testing

@testable import AdTracking

/// Whose a stream is, by its address alone (PRV-41); texts behind addresses are in the shared vectors.
@Suite struct RecognitionTests {
    private static let account = "9f8e7d6c5b4a3928"

    private static let known: [(url: String, name: String, role: ServicePlace.Role)] = [
        ("https://x.mediatailor.eu-west-1.amazonaws.com/v1/session/\(account)/cfg/a.m3u8", "mediatailor", .opening),
        ("https://x.mediatailor.eu-west-1.amazonaws.com/v1/master/\(account)/cfg/a.m3u8", "mediatailor", .multivariant),
        ("https://x.mediatailor.eu-west-1.amazonaws.com/v1/dash/\(account)/cfg/a.mpd", "mediatailor", .multivariant),
        ("https://tv.example/v1/manifest/\(account)/cfg/s-1/0.m3u8", "mediatailor", .media),
        ("https://tv.example/edge/v1/tracking/\(account)/cfg/s-1", "mediatailor", .tracking),
        ("https://tv.example/v1/segment/\(account)/cfg/s-1/0/1", "mediatailor", .segment),
        ("https://x.mediatailor.us-east-1.amazonaws.com/other", "mediatailor", .unknown),
        ("https://tv.example/a.m3u8?aws.sessionId=abc", "mediatailor", .unknown),
        ("https://tv.example/a.m3u8?aws.logMode=DEBUG", "mediatailor", .unknown),
        ("https://dai.google.com/linear/v1/hls/event/k/stream", "dai", .opening),
        ("https://dai.google.com/ondemand/v1/hls/content/2/vid/v/stream", "dai", .opening),
        ("https://dai.google.com/ondemand/v1/dash/content/2/vid/v/streams", "dai", .opening),
        ("https://dai.google.com/ssai/pods/api/v1/network/1/custom_asset/k/stream", "dai", .opening),
        ("https://dai.google.com/linear/hls/pa/event/k/stream/1-2:TUL/master.m3u8", "dai", .multivariant),
        ("https://dai.google.com/linear/dash/pa/event/k/stream/1-2:TUL/manifest.mpd", "dai", .multivariant),
        ("https://dai.google.com/linear/hls/event/k/master.m3u8", "dai", .unknown),
        ("https://dai.google.com/ssai/event/k/master.m3u8", "dai", .unknown),
        ("https://pubads.g.doubleclick.net/ssai/event/k/master.m3u8", "dai", .unknown),
        ("https://dai.google.com/linear/v1/pa/event/k/stream/1-2:TUL/metadata", "dai", .unknown),
        ("https://dai.google.com/linear/v1/pa/event/k/stream/1-2:TUL/session", "dai", .unknown),
        ("https://dai.google.com/ondemand/pods/api/v1/network/1/stream_registration", "dai", .unknown),
        ("https://dai.google.com/linear/pods/v1/seg/network/1/custom_asset/k/pod/1/profile/p/0.ts", "dai", .unknown),
        ("https://content.uplynk.com/preplay/channel/7.json?v=2", "uplynk", .opening),
        ("https://content-ausw4.uplynk.com/preplay/8.m3u8", "uplynk", .opening),
        ("https://content.uplynk.com/preplay/ext/o/7.json?v=2", "uplynk", .opening),
        ("https://content.uplynk.com/preplay/event/7.json?v=2", "uplynk", .opening),
        ("https://content.uplynk.com/preplay/7/multiple.json?v=2", "uplynk", .opening),
        ("https://video.example/preplay/7/multiple.json?v=2", "uplynk", .opening),
        ("https://content.uplynk.com/session/ping/1.json", "uplynk", .ping),
        ("https://content.uplynk.com/ping/ad/1", "uplynk", .ping),
        ("https://x.downlynk.com/a.m3u8", "uplynk", .unknown),
        ("https://video.example/preplay/channel/7.json?v=2", "uplynk", .opening),
        ("https://a.broadpeak.io/x/index.m3u8", "broadpeak", .unknown),
        ("https://a.broadpeak.tv/x/index.m3u8", "broadpeak", .unknown),
        ("https://cdn.example/x.m3u8?bpkio_serviceid=a", "broadpeak", .unknown),
        ("https://cdn.example/x.m3u8?bpkio_sessionid=a", "broadpeak", .unknown),
        ("https://csm.example/csm/live/1.m3u8;jsessionid=AB.1", "yospace", .unknown),
        ("https://m.example/auditude/variant/a.m3u8", "primetime", .unknown),
        ("https://m.example/v.m3u8?pttrackingmode=simple", "primetime", .unknown),
    ]

    @Test(arguments: known.indices) func anAddressOfAService(_ index: Int) throws {
        let row = Self.known[index]
        let found = try #require(Recognition(of: try WebURL(row.url), text: nil))
        #expect(found.name == row.name && found.place?.role == row.role, "\(row.url): \(found)")
        #expect(!found.isByText && !found.title.isEmpty)
    }

    @Test(arguments: [
        "https://cdn.example/v1/live/master.m3u8", "https://cdn.example/v1/session/live/cfg/a.m3u8",
        "https://cdn.example/v1/manifest/1234567/cfg/s/0.m3u8", "https://mediatailor.example/a.m3u8",
        "https://a1.channel-assembly.mediatailor.us-east-1.amazonaws.com/v1/channel/c/index.m3u8",
        "https://dai.google.com/a.m3u8", "https://dai.google.com.example/linear/hls/event/k/stream",
        "https://uplynk.com.example/preplay/1.json", "https://broadpeak.io.example/a.m3u8",
        "https://csm.example/csm/live/1.m3u8", "https://m.example/my-auditude/a.m3u8",
    ])
    func anotherAddress(_ url: String) throws {
        #expect(Recognition(of: try WebURL(url), text: Array("#EXTM3U\n#EXTINF:6,\na.ts\n".utf8)) == nil)
    }

    /// An address that shows two services is that of the first, whoever asks (PRV-41).
    @Test(arguments: [
        ("https://content.uplynk.com/preplay/8.m3u8?bpkio_sessionid=a", "uplynk"),
        ("https://csm.example/csm/live/1.m3u8;jsessionid=AB.1?pttrackingmode=simple", "yospace"),
    ])
    func thereIsOneOrder(_ address: String, _ name: String) throws {
        let url = try WebURL(address)
        #expect(Recognition(of: url, text: nil)?.name == name)
        #expect(ProviderSetting.auto.provider(for: url)?.name == name)
        let byAddress = ProviderTable.atAddresses.map { $0.name }
        #expect(ProviderTable.providers.map { $0.name }.filter(byAddress.contains) == byAddress)
    }

    /// What only mentions VMAP is none.
    @Test(arguments: [
        "<VAST><Extension xmlns:vmap=\"http://www.iab.net/videosuite/vmap\"><vmap:VMAP/></Extension></VAST>",
        "<html><body>:VMAP http://www.iab.net/videosuite/vmap</body></html>", "<!-- <VMAP>", "VMAP", "",
    ])
    func aTextThatMentionsADocument(_ text: String) throws {
        #expect(Recognition(of: try WebURL("https://x.example/a.m3u8"), text: Array(text.utf8)) == nil)
    }

    /// Each service that shows itself can be chosen by its name.
    @Test(arguments: [
        "#UPLYNK-SEGMENT:a": "uplynk", "#EXT-X-YOSPACE-ANALYTICS-URL:a": "yospace",
        "<v:VMAP xmlns:v=\"http://www.iab.net/videosuite/vmap\"/>": "vmap",
        "<VMAP xmlns=\"http://www.iab.net/videosuite/vmap\"/>": "vmap",
        "\u{FEFF}<?xml version=\"1.0\"?>\n<!-- <VAST> -->\n<v:VMAP xmlns:v=\"http://www.iab.net/vmap-1.0\">": "vmap",
        "<VMAP>": "vmap",
    ])
    func aTextNamesAProvider(_ text: String, _ name: String) throws {
        let found = try #require(Recognition(of: try WebURL("https://x.example/a.m3u8"), text: Array(text.utf8)))
        #expect(found.name == name && found.isByText && found.place == nil)
        #expect(ProviderSetting(rawValue: found.name) != nil)
    }
}
