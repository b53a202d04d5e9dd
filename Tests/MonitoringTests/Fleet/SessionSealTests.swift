import Testing

@testable import Monitoring

@Suite struct SessionSealTests {
    private static func seal(_ byte: UInt8) throws -> SessionSeal {
        try #require(SessionSeal(Array(repeating: byte, count: SessionSeal.keyBytes)))
    }

    @Test func aSealedStateIsOpenedWithItsKeyForItsViewer() throws {
        let seal = try Self.seal(1)
        let state = Array("state".utf8)
        let sealed = try #require(seal.seal(state, of: 7))
        #expect(seal.open(sealed, of: 7) == state)
        #expect(seal.open(sealed, of: 8) == nil)
        #expect(try Self.seal(2).open(sealed, of: 7) == nil)
        // Twice the same is not the same text.
        #expect(seal.seal(state, of: 7) != sealed)
        #expect(SessionSeal.keyID(of: sealed).count == 8)
    }

    @Test func whatWasChangedIsNotOpened() throws {
        let seal = try Self.seal(1)
        let sealed = try #require(seal.seal([1, 2, 3], of: 7))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(seal.open(changed, of: 7) == nil)
            #expect(seal.open(Array(sealed.prefix(index)), of: 7) == nil)
        }
    }

    @Test(arguments: [0, 16, 31, 33]) func aKeyHas32Bytes(count: Int) {
        #expect(SessionSeal(Array(repeating: 0, count: count)) == nil)
    }
}
