import Ports
import Testing

@Suite struct PercentEscapesTests {
    @Test func escapesOfURLsAreInUpperCase() {
        #expect(Array(" é".utf8).map(\.percentEncoded) == ["%20", "%C3", "%A9"])
    }

    /// RFC 3986 section 2.3, and section 2 for what is in no URL unescaped.
    @Test(arguments: UInt8.min...UInt8.max) func everyByteIsAllowedReservedOrEscaped(byte: UInt8) {
        let unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
        let reserved = ":/?#[]@!$&'()*+,;=%"
        let isControl = byte < 0x20 || byte == 0x7F
        #expect(byte.isUnreserved == unreserved.utf8.contains(byte))
        #expect(byte.needsURLEscape == !((unreserved + reserved).utf8.contains(byte) || isControl))
    }

    @Test func aTextKeepsWhatIsPlain() {
        #expect("a b~é/%".percentEncoded(except: \.isUnreserved) == "a%20b~%C3%A9%2F%25")
        #expect("a b".percentEncoded { _ in true } == "a b")
        #expect("".percentEncoded { _ in false }.isEmpty)
    }
}
