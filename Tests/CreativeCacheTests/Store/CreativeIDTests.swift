import CreativeCache
import Ports
import Testing

@Suite struct CreativeIDTests {
    @Test(arguments: ["1", "hb_1".replacing("_", with: "-"), "0a6f0a3e.x", String(repeating: "a", count: 128)])
    func taken(text: String) {
        #expect(CreativeID(text)?.text == text)
    }

    @Test(arguments: ["", "..", ".a", "-a", "a/b", "a\0b", "ä", "a b", String(repeating: "a", count: 129)])
    func refused(text: String) {
        #expect(CreativeID(text) == nil)
    }

    @Test func freshOnesAreVersionFour() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<100 {
            let text = CreativeID.random(using: &random).text
            let characters = Array(text)
            #expect(text.count == 36 && text == text.lowercased())
            #expect([8, 13, 18, 23].allSatisfy { characters[$0] == "-" })
            #expect(characters[14] == "4" && "89ab".contains(characters[19]))
        }
        let two = [CreativeID.random(using: &random), CreativeID.random(using: &random)]
        #expect(two[0] != two[1])
    }
}
