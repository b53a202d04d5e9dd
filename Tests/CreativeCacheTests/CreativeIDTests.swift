import CreativeCache
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
}
