extension JournalFile {
    /// Location of earlier versions' files, and retention.
    package struct Settings: Sendable {
        /// Folder of the per-session journals of earlier versions; nil if there are none.
        package var earlierFolder: String?
        /// Age at which entries are deleted.
        package var age: Duration = .seconds(30 * 86_400)
        /// Maximum size; beyond it the oldest entries are deleted, but never beacons of the last two days.
        package var bytes: Int64 = 512 << 20
        /// Number of newest claims kept whatever their age, so that a wrongly set clock does not clear a journal.
        package var keptClaims = 20_000
        /// Interval at which age and size are checked.
        package var lookEvery: Duration = .seconds(60)
        /// How long one attempt waits for another program that holds a lock on the file.
        package var busyTimeout: Duration = .seconds(5)
        /// How long a write waits for such a program in all.
        package var lockPatience: Duration = .seconds(60)
        /// Version of this program, for a process that finds the journal in use.
        package var version = "dev"

        package init() {}
    }
}
