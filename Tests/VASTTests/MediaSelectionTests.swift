import Ports
import Testing

@testable import VAST

@Suite struct MediaSelectionTests {
    private func file(_ id: String, _ type: String, _ width: Int?, bitrate: Int? = nil) -> VASTDocument.MediaFile {
        var file = VASTDocument.MediaFile(id: id, url: "https://cdn.example.test/\(id)")
        file.type = type
        (file.width, file.height, file.bitrate) = (width, width.map { $0 / 16 * 9 }, bitrate)
        return file
    }

    /// The shared vectors test the rules one by one; this tests the reasons.
    @Test func everyFileHasItsVerdict() {
        let player = PlayerProfile(types: ["video/mp4"], width: 1_280, height: 720, maximumBitrate: 3_000)
        let files = [
            file("webm", "video/webm", 1_280), file("large", "video/mp4", 1_920, bitrate: 2_000),
            file("fits", "video/mp4", 1_280, bitrate: 2_000), file("fast", "video/mp4", 1_280, bitrate: 9_000),
        ]
        let selection = MediaSelection(of: files, for: player)
        #expect(selection.chosen == 2)
        #expect(selection.verdicts.count == 4)
        #expect(selection.verdicts.map { $0 == .chosen } == [false, false, true, false])
        #expect(Set(selection.verdicts.map(\.explanation)).count == 4)
        #expect(MediaSelection(of: [files[0]], for: player).chosen == nil)
    }

    /// Types are compared without case, and so are deliveries.
    @Test(arguments: ["progressive", "Progressive", "PROGRESSIVE"]) func deliveriesAreComparedWithoutCase(text: String)
    {
        var player = PlayerProfile(types: ["video/mp4"], width: 1_280, height: 720)
        var file = file("a", "Video/MP4", 1_280)
        file.delivery = text
        player.deliveries = ["progressive"]
        #expect(MediaSelection(of: [file], for: player).chosen == 0)
        player.deliveries = ["streaming"]
        #expect(MediaSelection(of: [file], for: player).verdicts == [.delivery(text)])
    }

    /// The files are always in the same document order, so the selection depends only on their numbers.
    @Test(
        arguments: [
            // Known size and rate come before an unknown rate, however well that file fits.
            ([(640, 360, nil, "progressive"), (320, 180, 300, "progressive")], 1),
            ([(320, 180, nil, "progressive"), (640, 360, nil, "progressive")], 1),
            // A stream with a single stated rate is capped like a file; one without a rate is not.
            ([(640, 360, 9_000, "streaming"), (320, 180, 500, "streaming")], 1),
            ([(640, 360, nil, "streaming")], 0),
        ] as [([(Int, Int, Int?, String)], Int)])
    func unknownRatesGoLastAndStatedOnesAreCapped(list: [(Int, Int, Int?, String)], pick: Int) {
        let files = list.map { width, height, rate, delivery in
            var file = VASTDocument.MediaFile(url: "https://cdn.example.test/a")
            (file.type, file.delivery, file.width, file.height, file.bitrate) = (
                "video/mp4", delivery, width, height, rate
            )
            return file
        }
        let player = PlayerProfile(types: ["video/mp4"], width: 640, height: 360, maximumBitrate: 8_000)
        #expect(MediaSelection(of: files, for: player).chosen == pick)
    }

    private func companion(_ id: String?, slot: String? = nil, _ width: Int, _ height: Int) -> VASTDocument.Companion {
        var resources = VASTDocument.Resources()
        resources.html = ["x"]
        return VASTDocument.Companion(
            id: id, width: width, height: height, adSlotID: slot, resources: resources, position: .start)
    }

    @Test func companionsGoBySlotThenSizeThenFit() {
        var list = VASTDocument.CompanionAds(required: "all", position: .start)
        list.companions = [companion("a", 300, 250), companion("b", slot: "s", 728, 90), companion("c", 100, 100)]
        let slots = [CompanionSlot(id: "s", width: 300, height: 250), CompanionSlot(width: 300, height: 250)]
        let selection = CompanionSelection(of: list, for: slots)
        #expect(selection.choices.map(\.companion) == [1, 0])
        #expect(selection.choices.map(\.match) == [.slotID, .exactSize])
        #expect(selection.unplaced == [2])
        #expect(!selection.isRequirementMet)
        list.required = "any"
        #expect(CompanionSelection(of: list, for: slots).isRequirementMet)
        #expect(!CompanionSelection(of: list, for: []).isRequirementMet)
    }
}
