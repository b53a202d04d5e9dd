import Testing

@testable import adtop

struct HelpWidthTests {
    @Test(
        arguments: [
            ("20", 80, 40), ("0", nil, 40), ("-1", nil, 40), ("39", nil, 40), ("40", 20, nil), ("80", nil, nil),
            (nil, 20, 40), (nil, 39, 40), (nil, 40, nil), (nil, 0, nil), (nil, nil, nil), ("", 20, 40),
            ("wide", 20, 40),
        ] as [(String?, Int?, Int?)])
    func isAtLeastTheNarrowest(columns: String?, terminal: Int?, width: Int?) {
        #expect(HelpWidth.replacement(columns: columns, terminal: terminal) == width)
    }
}
