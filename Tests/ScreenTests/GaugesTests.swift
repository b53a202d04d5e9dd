import Screen
import Testing

@Suite struct GaugesTests {
    @Test func sparklinesScaleToTheGreatestShown() {
        #expect(Sparkline.text([0, 1, 2, 4, 8], columns: 5, .unicode).string == "▁▂▃▅█")
        let rows = Sparkline.tall([0, 1, 4, 5, 8], columns: 5, .unicode)
        #expect(rows.upper.string == "  ▁▃█" && rows.lower.string == "▁▃███")
        #expect(Sparkline.text([9, 0, 0], columns: 2, .unicode).string == "▁▁")
        #expect(Sparkline.text([0, 1, 8], columns: 3, .ascii).string == "_.#")
        #expect(Sparkline.text([], columns: 4, .unicode).isEmpty)
        #expect(Sparkline.text([.nan, .infinity, -1, 1], columns: 4, .unicode).string == "▁▁▁█")
    }

    @Test func gaugesShowThatThereIsSomethingAndThatSomethingIsMissing() {
        #expect(Gauge.text(0.5, columns: 4, .ascii).string == "##..")
        #expect(Gauge.filledColumns(0.001, of: 10) == 1)
        #expect(Gauge.filledColumns(0.999, of: 10) == 9)
        #expect(Gauge.filledColumns(1.5, of: 10) == 10)
        #expect(Gauge.filledColumns(.nan, of: 10) == 0)
        #expect(Gauge.filledColumns(0.5, of: -3) == 0)
        #expect(Gauge.filledColumns(0.5, of: .max) == Size.limit / 2)
        #expect(Gauge.text(0.5, columns: .max, .ascii).columns == Size.limit)
        #expect(Gauge.text(0.5, columns: .min, .ascii).isEmpty)
    }
}
