import Monitoring
import Testing

/// Here, beside the contract, because the contract is for every journal.
@Suite struct InMemoryJournalTests {
    @Test func keepsTheContract() async throws {
        let storage = InMemoryJournal.Storage()
        try await JournalContract { InMemoryJournal(storage: storage) }.check()
    }
}
