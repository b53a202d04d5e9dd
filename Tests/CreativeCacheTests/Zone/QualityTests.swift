import CreativeCache
import Testing

/// The table itself is in the vectors.
@Suite struct QualityTests {
    @Test func theReasonNamesTheRow() {
        #expect(QualitySelector.reason(after: nil) == "there is no history")
        #expect(
            QualitySelector.reason(after: DownloadMeasurement(seconds: 2.4, quality: .low))
                == "the last low one took 2.4 s, between 2 and 3 s")
        #expect(
            QualitySelector.reason(after: DownloadMeasurement(seconds: 12, quality: .high))
                == "the last high one took 12 s, above 10 s")
        #expect(
            QualitySelector.reason(after: DownloadMeasurement(seconds: 1, quality: .mid))
                == "the last mid one took 1 s, below 3 s")
    }

    @Test(arguments: [Double.nan, -1, .infinity]) func absurdTimesAreNoHistory(seconds: Double) {
        #expect(QualitySelector.next(after: DownloadMeasurement(seconds: seconds, quality: .high)) == .low)
    }

    @Test func speedNeedsBytesAndTime() {
        #expect(DownloadMeasurement(seconds: 2, quality: .low, bytes: 1_000_000).kilobitsPerSecond == 4_000)
        #expect(DownloadMeasurement(seconds: 0, quality: .low, bytes: 1).kilobitsPerSecond == nil)
    }
}
