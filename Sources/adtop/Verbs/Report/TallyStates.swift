import AdTracking
import Live

extension JournalReport.Tally {
    /// Its beacons by state, each with the word that the screen has for it (docs/states.md).
    var states: [(word: StateWord, count: Int)] {
        [
            (.done, acknowledged), (.failed, failed), (.unknown, unknown), (.busy, open), (.observed, observed),
            (.notSent, skipped),
        ]
    }
}
