import Ports
import Testing

@testable import VAST

@Suite struct MediaSelectionTests {
    private static func file(_ json: JSONValue) -> VASTDocument.MediaFile {
        var file = VASTDocument.MediaFile(id: json["id"]?.stringValue, url: json["url"]?.stringValue ?? "")
        func number(_ name: String) -> Int? { json[name]?.integerValue.map { Int($0) } }
        file.type = json["type"]?.stringValue
        file.delivery = json["delivery"]?.stringValue
        file.apiFramework = json["api_framework"]?.stringValue
        (file.width, file.height, file.bitrate) = (number("width"), number("height"), number("bitrate"))
        (file.minimumBitrate, file.maximumBitrate) = (number("min_bitrate"), number("max_bitrate"))
        return file
    }

    @Test(.enabled(if: Conformance.isPresent, "\(Conformance.absence)"))
    func picksWhatTheVectorsPick() throws {
        let vectors = try #require(try Conformance.json("vectors/media-selection.json")["vectors"]?.arrayValue)
        #expect(vectors.count == 13)
        for vector in vectors {
            let player = try #require(vector["player"])
            let profile = PlayerProfile(
                types: player["types"]?.arrayValue?.compactMap(\.stringValue) ?? [],
                width: Int(player["width"]?.integerValue ?? 0), height: Int(player["height"]?.integerValue ?? 0),
                maximumBitrate: player["max_kbps"]?.integerValue.map { Int($0) })
            let files = vector["files"]?.arrayValue?.map(Self.file) ?? []
            let selection = MediaSelection(of: files, for: profile)
            #expect(
                selection.chosen.flatMap { files[$0].id } == vector["pick"]?.stringValue,
                "\(vector["name"]?.stringValue ?? ""): \(selection.verdicts.map(\.explanation))")
            #expect(selection.verdicts.count == files.count)
            #expect(selection.verdicts.filter { $0 == .chosen }.count == (selection.chosen == nil ? 0 : 1))
        }
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
