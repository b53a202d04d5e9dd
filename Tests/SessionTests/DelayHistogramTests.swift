import Ports
import Session
import Testing

@Suite struct DelayHistogramTests {
    @Test(arguments: [
        (Duration.zero, 0), (.milliseconds(100), 0), (.microseconds(100_001), 1), (.seconds(1), 3), (.seconds(30), 7),
        (.milliseconds(30_001), 8), (.seconds(7_200), 8),
    ])
    func bucketsIncludeTheirUpperBound(_ late: Duration, _ bucket: Int) {
        #expect(DelayHistogram.bucket(of: late) == bucket)
    }

    @Test func countsAddUp() {
        var histogram = DelayHistogram()
        histogram.add(.milliseconds(50))
        histogram.add(.seconds(60))
        var other = DelayHistogram()
        other.add(3, inBucket: 1, sum: .milliseconds(600))
        other.add(1, inBucket: 99, sum: .seconds(40))
        histogram.add(other)
        #expect(histogram.counts == [1, 3, 0, 0, 0, 0, 0, 0, 2])
        #expect(histogram.count == 6)
        #expect(histogram.sum == .milliseconds(100_650))
    }

    @Test func labelsAreForPeople() {
        #expect(
            (0...8).map(DelayHistogram.label) == [
                "≤ 100 ms", "≤ 250 ms", "≤ 500 ms", "≤ 1 s", "≤ 2.5 s", "≤ 5 s", "≤ 10 s", "≤ 30 s", "> 30 s",
            ])
    }

    /// Of a value that was not added nothing is taken away.
    @Test func aValueMayBeReplaced() {
        var histogram = DelayHistogram()
        histogram.add(.milliseconds(20))
        histogram.replace(.milliseconds(20), by: .seconds(4))
        histogram.replace(.milliseconds(20), by: .seconds(4))
        #expect(histogram.counts == [0, 0, 0, 0, 0, 1, 0, 0, 0] && histogram.sum == .seconds(4))
    }
}
