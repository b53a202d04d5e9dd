import HLS
import Ports
import Testing

/// Interstitials across reloads (HLS-21).
@Suite struct InterstitialTrackTests {
    private static func playlist(_ tags: String...) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00.000Z\n"
        for tag in tags { text += tag + "\n" }
        for number in 0..<8 { text += "#EXTINF:6,\nseg\(number).ts\n" }
        let parsed = PlaylistParser.parse(Array(text.utf8), uri: "https://h/media.m3u8")
        return try #require(parsed.media)
    }

    private static let first =
        #"#EXT-X-DATERANGE:ID="a",CLASS="com.apple.hls.interstitial",START-DATE="2027-01-01T00:00:20.000Z","#
        + #"DURATION=30,X-ASSET-URI="https://h/ad.m3u8",X-RESTRICT="SKIP""#

    /// The first tag has left the playlist; what is listed is its update, with or without CLASS.
    @Test(arguments: [#",CLASS="com.apple.hls.interstitial""#, ""])
    func anUpdateAloneChangesWhatItHas(rangeClass: String) throws {
        var timeline = Timeline()
        var track = InterstitialTrack()
        _ = timeline.fold(try Self.playlist(Self.first))
        track.fold(timeline, playhead: .zero)
        let update = #"#EXT-X-DATERANGE:ID="a"\#(rangeClass),X-PLAYOUT-LIMIT=5,X-RESUME-OFFSET=12"#
        _ = timeline.fold(try Self.playlist(update))
        track.fold(timeline, playhead: .zero)
        let definition = try #require(track[id: "a"]).definition
        #expect(definition.playoutLimit == .seconds(5))
        #expect(definition.resumeOffset == .seconds(12))
        #expect(definition.assetURI == "https://h/ad.m3u8")
        #expect(definition.restrict == [.skip])
        #expect(track[id: "a"]?.isListed == true)
    }

    /// Without its first tag there is nothing to play.
    @Test func anUpdateOfAnUnknownInterstitialIsNothing() throws {
        var timeline = Timeline()
        var track = InterstitialTrack()
        _ = timeline.fold(try Self.playlist(#"#EXT-X-DATERANGE:ID="a",X-PLAYOUT-LIMIT=5"#))
        track.fold(timeline, playhead: .zero)
        #expect(track[id: "a"] == nil)
    }
}
