import Testing

@testable import Fleet

@Suite struct FleetSpoolTests {
    private static func outcome(_ number: Int) -> StoredClaim {
        let key = ClaimKey(viewer: 1, due: .seconds(number), beacon: BeaconID(low: 1))
        return StoredClaim(
            request: ClaimRequest(DueBeacon(key: key, type: "start", url: "u"), epoch: 1, number: number),
            outcome: .acknowledged)
    }

    private static func unsent(_ number: Int) -> UnsentRow {
        let key = ClaimKey(viewer: 1, due: .seconds(number), beacon: BeaconID(low: 2))
        return UnsentRow(
            beacon: DueBeacon(key: key, type: "start", url: "u"), at: .zero, isSkipped: false, reason: "store-away")
    }

    private static func note(_ number: Int) -> NoteRow {
        NoteRow(viewer: 1, at: .seconds(number), kind: "finding", level: "warning", rule: "L35", words: "late")
    }

    @Test func notesAreDroppedFirst() {
        var spool = FleetSpool(limit: 4 * Self.note(1).spoolSize)
        for number in 1...5 { spool.add(Self.note(number)) }
        #expect(spool.dropped == SpoolCount(notes: 1))
        spool.add(Self.outcome(1))
        #expect(spool.notes.prefix(9) == [Self.note(3), Self.note(4)])
        spool.add(Self.unsent(1))
        #expect(spool.notes.count == 0)
        #expect(spool.dropped == SpoolCount(notes: 5))
        #expect(spool.unsent.count == 1)
        #expect(spool.outcomes.count == 1)
        spool.delivered(SpoolCount(outcomes: 1), from: spool.starts)
        spool.delivered(SpoolCount(unsent: 1), from: spool.starts)
        #expect(spool.isEmpty && spool.bytes == 0)
    }

    /// The file is written again when something in it is dropped: a row that comes makes room for those behind it.
    @Test func roomIsMadeForMany() {
        var spool = FleetSpool(limit: 160 * Self.note(1).spoolSize)
        for number in 1...160 { spool.add(Self.note(number)) }
        spool.add(Self.unsent(1))
        #expect((10...11).contains(spool.dropped.notes))
        let dropped = spool.dropped.notes
        spool.add(Self.unsent(2))
        #expect(spool.dropped.notes == dropped)
    }

    /// Notes that were dropped while the store took them are not removed twice.
    @Test func deliveredNotesMayBeGone() {
        var spool = FleetSpool(limit: 3 * Self.note(1).spoolSize)
        for number in 1...3 { spool.add(Self.note(number)) }
        let first = spool.starts
        spool.add(Self.outcome(1))
        for _ in 0..<2 {
            spool.delivered(SpoolCount(notes: 2), from: first)
            #expect(spool.notes.prefix(9) == [Self.note(3)])
        }
        #expect(spool.bytes == Self.note(3).spoolSize + Self.outcome(1).spoolSize)
    }

    /// Two notes alike, of which one is dropped while the store takes both: the third is not removed with them.
    @Test func deliveredNotesMayBeAlike() {
        var spool = FleetSpool(limit: 4 * Self.note(1).spoolSize)
        for number in [1, 1, 3] { spool.add(Self.note(number)) }
        let first = spool.starts
        spool.add(Self.outcome(1))
        #expect(spool.notes.prefix(9) == [Self.note(1), Self.note(3)])
        spool.delivered(SpoolCount(notes: 2), from: first)
        #expect(spool.notes.prefix(9) == [Self.note(3)])
        #expect(spool.bytes == Self.note(3).spoolSize + Self.outcome(1).spoolSize)
    }

    @Test func whatWasNotSentIsDroppedBeforeOutcomes() {
        var spool = FleetSpool(limit: 2 * Self.unsent(1).spoolSize)
        for number in 1...3 { spool.add(Self.unsent(number)) }
        #expect(spool.dropped == SpoolCount(outcomes: 0, unsent: 1))
        spool.add(Self.outcome(1))
        #expect(spool.unsent.prefix(9) == [Self.unsent(2)])
        spool.add(Self.outcome(2))
        #expect(spool.unsent.count == 0)
        spool.add(Self.outcome(3))
        #expect(spool.outcomes.prefix(9).map(\.request.number) == [1, 2])
        #expect(spool.dropped == SpoolCount(outcomes: 1, unsent: 3))
        spool.delivered(SpoolCount(outcomes: 2), from: spool.starts)
        #expect(spool.isEmpty && spool.bytes == 0)
    }

    /// Rows that were dropped while the store took them are not counted twice.
    @Test func deliveredRowsMayBeGone() {
        var spool = FleetSpool(limit: 3 * Self.unsent(1).spoolSize)
        for number in 1...3 { spool.add(Self.unsent(number)) }
        let first = spool.starts
        spool.add(Self.outcome(1))
        spool.delivered(SpoolCount(unsent: 2), from: first)
        #expect(spool.unsent.prefix(9) == [Self.unsent(3)])
        #expect(spool.bytes == Self.unsent(3).spoolSize + Self.outcome(1).spoolSize)
    }

    @Test func onlyWhatWaitsGoesToTheDisk() {
        var spool = FleetSpool()
        spool.add(Self.outcome(1))
        #expect(spool.nextChange() == nil)
        spool.delivered(SpoolCount(outcomes: 1), from: spool.starts)
        #expect(spool.nextChange() == nil)
        spool.add(Self.outcome(2))
        #expect(spool.nextChange() == nil)
        spool.add(Self.outcome(3))
        #expect(spool.nextChange() == .append(SpooledRows(outcomes: [Self.outcome(2)])))
        #expect(spool.nextChange(isLast: true) == .append(SpooledRows(outcomes: [Self.outcome(3)])))
        #expect(spool.nextChange() == nil)
        spool.delivered(SpoolCount(outcomes: 2), from: spool.starts)
        #expect(spool.nextChange() == .clear)
        #expect(spool.nextChange() == nil)
    }

    /// A disk that was full for a while has all that waits once there is room.
    @Test func whatTheDiskDidNotTakeFollows() {
        var spool = FleetSpool()
        spool.add(Self.outcome(1))
        _ = spool.nextChange()
        #expect(spool.nextChange() == .append(SpooledRows(outcomes: [Self.outcome(1)])))
        spool.wasNotKept()
        spool.add(Self.outcome(2))
        #expect(spool.nextChange() == .append(SpooledRows(outcomes: [Self.outcome(1)])))
        spool.wasNotKept()
        #expect(spool.nextChange() == .append(SpooledRows(outcomes: [Self.outcome(1), Self.outcome(2)])))
        spool.delivered(SpoolCount(outcomes: 2), from: spool.starts)
        #expect(spool.nextChange() == .clear)
        spool.wasNotKept()
        #expect(spool.nextChange() == .clear)
        #expect(spool.nextChange() == nil)
    }

    /// A file that would grow beyond the bound is written again with what waits.
    @Test func theFileIsBounded() {
        var spool = FleetSpool(limit: 2 * Self.outcome(1).spoolSize)
        for number in 1...2 { spool.add(Self.outcome(number)) }
        _ = spool.nextChange(isLast: true)
        spool.delivered(SpoolCount(outcomes: 1), from: spool.starts)
        spool.add(Self.outcome(3))
        #expect(
            spool.nextChange(isLast: true) == .replace(SpooledRows(outcomes: [Self.outcome(2), Self.outcome(3)])))
    }

    @Test func whatWasLeftIsDeliveredAndThenCleared() {
        var spool = FleetSpool()
        spool.restore(SpooledRows(outcomes: [Self.outcome(1)], unsent: [Self.unsent(1)], notes: [Self.note(1)]))
        #expect(spool.nextChange(isLast: true) == nil)
        #expect(spool.outcomes.prefix(9) == [Self.outcome(1)])
        spool.delivered(SpoolCount(outcomes: 1), from: spool.starts)
        spool.delivered(SpoolCount(unsent: 1), from: spool.starts)
        #expect(spool.nextChange() == nil)
        spool.delivered(SpoolCount(notes: 1), from: spool.starts)
        #expect(spool.nextChange() == .clear)
    }

    @Test func rowsKeepTheirNumbers() {
        var rows = WaitingRows<Int>()
        for row in 0..<10 { rows.append(row) }
        rows.removeFirst(7)
        #expect(rows.rows(from: 0, to: 9) == [7, 8])
        #expect(rows.rows(from: 8, to: 99) == [8, 9])
        #expect(rows.first == 7 && rows.count == 3 && rows.end == 10)
        rows.removeFirst(99)
        #expect(rows.first == nil && rows.end == 10 && rows.rows(from: 3, to: 5) == [])
    }
}
