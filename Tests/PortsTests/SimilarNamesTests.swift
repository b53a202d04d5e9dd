import Ports
import Testing

struct SimilarNamesTests {
    private static let names = ["watch", "monitor", "demo", "vast", "vmap", "simulate"]

    @Test(
        arguments: [
            ("moniter", "monitor"), ("MONITOR", "monitor"), ("demoo", "demo"), ("wacth", nil), ("vsat", nil),
            ("vas", "vast"),
            ("simulat", "simulate"), ("mulat", "simulate"), ("", nil), ("x", nil), ("nothing like it", nil),
        ] as [(String, String?)])
    func theNearestIsFirst(typed: String, expected: String?) {
        #expect(SimilarNames.nearest(to: typed, in: Self.names).first == expected)
    }

    @Test func aLongWordTakesNoTime() {
        #expect(SimilarNames.nearest(to: String(repeating: "x", count: 1_000_000), in: Self.names).isEmpty)
    }
}
