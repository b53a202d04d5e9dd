import CreativeCache
import Testing

/// The vectors test the table itself.
@Suite struct QualityTests {
    @Test func theReasonNamesTheRow() {
        #expect(QualitySelector.reason(after: nil) == "no measurement yet")
        #expect(
            QualitySelector.reason(after: DownloadMeasurement(seconds: 2.4, quality: .low))
                == "the last low download took 2.4 s, between 2 and 3 s")
        #expect(
            QualitySelector.reason(after: DownloadMeasurement(seconds: 12, quality: .high))
                == "the last high download took 12 s, above 10 s")
        #expect(
            QualitySelector.reason(after: DownloadMeasurement(seconds: 1, quality: .mid))
                == "the last mid download took 1 s, below 3 s")
    }

    @Test(arguments: [Double.nan, -1, .infinity]) func absurdTimesAreNoHistory(seconds: Double) {
        #expect(QualitySelector.next(after: DownloadMeasurement(seconds: seconds, quality: .high)) == .low)
    }

    @Test func speedNeedsBytesAndTime() {
        #expect(DownloadMeasurement(seconds: 2, quality: .low, bytes: 1_000_000).kilobitsPerSecond == 4_000)
        #expect(DownloadMeasurement(seconds: 0, quality: .low, bytes: 1).kilobitsPerSecond == nil)
    }
}
