import ArgumentParser
import TestSupport
import Testing
import VAST

@testable import adtop

@Suite struct ChoiceTextTests {
    private static let document = """
        <VAST version="4.2"><Ad id="a1"><InLine><AdTitle>Bikes</AdTitle><Creatives><Creative><Linear>
        <Duration>00:00:15</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="800">https://m.example/s.mp4</MediaFile>
        <MediaFile delivery="progressive" type="video/mp4" width="1920" height="1080" bitrate="4000">https://m.example/l.mp4</MediaFile>
        <MediaFile delivery="progressive" type="video/webm" width="1920" height="1080" minBitrate="400" maxBitrate="2500">https://m.example/l.webm</MediaFile>
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """

    private func lines(_ player: PlayerProfile, slots: [CompanionSlot] = []) throws -> [String] {
        let vast = try #require(VASTReader.read(Array(Self.document.utf8)).vast)
        let ad = try #require(vast.ads.first)
        let linear = try #require(ad.linears.first)
        let choice = AdChoice(ad: ad, choice: CreativeChoice(of: linear, in: ad, for: player, slots: slots))
        return choice.lines(slots: slots).map(\.plain)
    }

    @Test func aSizeOfZeroIsAnAudioPlayer() throws {
        let player = try PlayerOptions.parse(["--size", "0x0"]).profile()
        let file = VASTDocument.MediaFile(id: "v", url: "https://m.example/v.mp4")
        var (video, audio) = (file, VASTDocument.MediaFile(id: "a", url: "https://m.example/a.mp3"))
        (video.type, audio.type) = ("video/mp4", "audio/mpeg")
        #expect(MediaSelection(of: [video, audio], for: player).chosen == 1)
        #expect(try PlayerOptions.parse(["--size", "0x0", "--type", "video/mp4"]).profile().types == ["video/mp4"])
        for size in ["0x1", "1x0", "-1x-1"] {
            #expect(throws: (any Error).self) { try PlayerOptions.parse(["--size=\(size)"]).profile() }
        }
    }

    @Test func eachFileHasItsReason() throws {
        let lines = try lines(PlayerProfile(types: ["video/mp4"], width: 1280, height: 720, maximumBitrate: 2_000))
        #expect(lines.first == "ad a1 “Bikes”")
        #expect(
            lines.contains {
                $0.hasPrefix("  ✓ video/mp4  640x360  800 kbit/s  progressive  https://m.example/s.mp4  ")
            })
        #expect(lines.filter { $0.hasPrefix("  · ") }.count == 2)
        #expect(lines.contains { $0.hasPrefix("  · video/webm  1920x1080  400 to 2,500 kbit/s  progressive  ") })
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test func nothingToPlayIsAnErrorCode() throws {
        let lines = try lines(PlayerProfile(types: ["video/ogg"], width: 1280, height: 720))
        #expect(lines.last == "  ✗ error 403: no media file can be played")
    }
}
