import Monitoring
import Session
import Testing

/// These tests are here because the contract for all journals is here.
@Suite struct InMemoryJournalTests {
    @Test func keepsTheContract() async throws {
        let storage = InMemoryJournal.Storage()
        try await JournalContract { InMemoryJournal(storage: storage) }.check()
    }
}
