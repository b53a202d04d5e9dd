import AdFormats
import Testing

/// The status of a video before its first frame (FMT-18).
@Suite struct PlayerStatusTests {
    private static let fileType = "\u{0}\u{0}\u{0}\u{0C}ftypisom"
    private static let noMP4 = "the file is not an MP4 file, but its type is video/mp4"

    @Test(arguments: [
        (fileType, "video/mp4"), (fileType, nil), ("\u{0}\u{0}\u{0}\u{1}moov", "video/mp4"),
        (fileType, "application/octet-stream"),
    ])
    func aFileOfBoxesIsReady(text: String, type: String?) {
        #expect(PlayerStatus(beginning: Array(text.utf8), type: type) == .readyToPlay)
    }

    @Test(arguments: [
        ("<html>", "Video/MP4; x=1", noMP4), ("\u{0}\u{0}\u{0}\u{3}ftyp", "video/mp4", noMP4),
        ("\u{0}", "video/mp4", noMP4),
        ("", "video/mp4", "the file is empty"), ("", "video/webm", "the file is empty"),
    ])
    func whatCannotBePlayedSaysWhy(text: String, type: String, why: String) {
        #expect(PlayerStatus(beginning: Array(text.utf8), type: type) == .failed(why))
    }

    @Test(arguments: [("\u{1A}E", "video/webm"), ("text", nil), ("text", "application/octet-stream")])
    func otherFilesAreNotKnown(text: String, type: String?) {
        #expect(PlayerStatus(beginning: Array(text.utf8), type: type) == .unknown)
    }
}
