import Ports
import Testing

@Suite struct SameBytesTests {
    /// Around the 32 bytes that are compared at a time.
    @Test(arguments: [0, 1, 31, 32, 33, 64, 100])
    func oneByteMakesAnotherText(count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        let other = bytes + []
        #expect(bytes.hasSameBytes(as: other))
        #expect(!bytes.hasSameBytes(as: bytes + [0]))
        for place in 0..<count {
            var changed = bytes
            changed[place] ^= 0x80
            #expect(!bytes.hasSameBytes(as: changed), "byte \(place)")
        }
    }
}
