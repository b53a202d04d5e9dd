import AdFormats
import Testing

/// Sizes of devices in terminal cells of 8 x 16 pixels (FMT-2).
@Suite struct DeviceProfileTests {
    @Test(
        arguments: [
            (DeviceProfile.Kind.phone, "320x50", 40, 4), (.tablet, "728x90", 91, 6), (.tv, "728x90", 91, 6),
            (.terminal, "728x90", 91, 6),
        ] as [(DeviceProfile.Kind, String, Int, Int)])
    func aBannerCoversWholeCells(kind: DeviceProfile.Kind, size: String, columns: Int, rows: Int) {
        let banner = DeviceProfile(kind).banner
        #expect(banner.text == size && banner.columns == columns && banner.rows == rows)
        let config = AdConfig(unit: "zone-1", format: .banner, placement: .screenBanner)
        #expect(config.size(NamedSizes(), on: DeviceProfile(kind)) == banner)
    }

    @Test func theCornerThatClosesHasNineColumnsAndFiveRows() {
        #expect(DeviceProfile.closeRegion.columns == 9 && DeviceProfile.closeRegion.rows == 5)
    }

    @Test(arguments: [(1, 1), (16, 1), (17, 2), (32, 2), (33, 3)])
    func whatBeginsACellCoversIt(height: Int, rows: Int) {
        #expect(PixelSize(width: 8, height: height).rows == rows)
    }
}
