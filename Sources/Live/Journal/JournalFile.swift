import GRDB
import Locks
import Ports
import Session

/// One journal for the sessions of many processes, in one SQLite file.
///
/// WAL with `synchronous=FULL` for claims: when `writeClaims` returns, they are on disk. Claims of several sessions at
/// the same time share one flush. Outcomes and notes are committed without a flush of their own and never delay a
/// claim; the next claim's flush includes them.
package actor JournalFile {
    /// Number of losses after which a file is abandoned.
    private static let losses = 16

    /// The path that was named; it may be a symbolic link.
    nonisolated let path: String
    /// The path of the file itself, since it was opened last.
    private var file: String
    let settings: Settings
    private let time = SystemTimeSource()
    private var connection: JournalConnection?
    /// Number of the connection: runs opened on an earlier one are not valid in this one.
    private var generation = 0
    private var holder: JournalHolder?
    private var upkeep: JournalUpkeep
    private var waiting = WaitingWrites()
    private var isWriting = false
    private var sessions = 0
    /// Sessions that are being opened.
    private var openings = 0
    /// Runs that ended while the journal could not be written: in the file their sessions still belong to this process.
    private var unclosed: [JournalLease.End] = []
    /// Connections whose file was lost. They stay open, because closing one deletes the write-ahead log at its path,
    /// which may belong to another file by now.
    private var abandoned: [JournalConnection] = []
    /// What was moved aside since a session was last informed.
    private var notice: String?

    /// Creates no file; the file and its folder are created when the first session opens.
    package init(path: String, settings: Settings = Settings()) {
        self.path = path
        file = path
        self.settings = settings
        upkeep = JournalUpkeep(path: path, settings: settings)
    }

    /// A journal of one session in this file.
    package nonisolated func session() -> SQLiteJournal { SQLiteJournal(self) }

    var now: UnixTime { time.now().wall }

    // MARK: Sessions

    /// The result of opening a session.
    struct Opened: Sendable {
        var run: JournalRun
        var opening: JournalOpening
        /// Rows of the claims in progress by number.
        var claims: [Int: Int64]
    }

    /// - Parameter ended: outcomes that could not be written before; those of claims that the journal does not have are dropped.
    func open(
        _ key: SessionKey, holding holdings: [JournalHolding], ended: [EndedClaim]
    ) async throws(JournalProblem) -> Opened {
        do {
            return try await opened(key, holding: holdings, ended: ended)
        } catch {
            let isUnread = error.kind == .cannotOpen || error.kind == .cannotWrite
            guard isUnread, UnreadJournal.isThere(at: LinkedPath.resolved(path)) else { throw error }
            throw JournalProblem(.unread, error.message)
        }
    }

    private func opened(
        _ key: SessionKey, holding holdings: [JournalHolding], ended: [EndedClaim]
    ) async throws(JournalProblem) -> Opened {
        try connect()
        guard let connection else { throw JournalProblem(.cannotOpen, "journal \(path): not open") }
        openings += 1
        defer { openings -= 1 }
        let at = now
        let lease = JournalLease(
            process: connection.process, generation: generation, holder: holder?.name ?? "",
            folder: LinkedPath.folder(of: file))
        if unclosed.isEmpty, ended.isEmpty, let holder = await lease.owner(of: key, on: connection) {
            throw JournalProblem(.inUse, "journal \(path): \(holder)")
        }
        let earlier = try EarlierJournal.entries(of: key, in: settings.earlierFolder, since: at - settings.age)
        let ends = unclosed
        let damaged = DamagedJournal.newest(of: file, since: at - settings.age) ?? earlier.damagedFile
        let request = JournalRequest(
            key: key, at: at, lease: lease, holdings: holdings + earlier.holdings, ends: ends, ended: ended,
            isAfterDamage: damaged != nil)
        let answer = try await perform(request, in: lease.generation, rows: holdings.count)
        unclosed.removeAll(where: ends.contains)
        switch answer {
        case .heldBy(let holder)?: throw JournalProblem(.inUse, "journal \(path): \(holder)")
        case nil: throw JournalProblem(.cannotOpen, "journal \(path): not open")
        case .taken(let run, let found)?:
            earlier.wasTaken()
            sessions += 1
            defer { notice = nil }
            let opening = JournalOpening(
                entries: found.entries, notice: notice, damagedFile: found.isKnown ? nil : damaged,
                completeFrom: found.completeFrom)
            return Opened(run: run, opening: opening, claims: found.claims)
        }
    }

    private func perform(
        _ request: JournalRequest, in generation: Int, rows: Int
    ) async throws(JournalProblem) -> JournalRequest.Answer? {
        // Set on the database's queue and read after it.
        let answer = Locked<JournalRequest.Answer?>(nil)
        _ = try await write(in: generation, isFlushed: true, rows: rows) { database in
            let outcome = try request.perform(in: database)
            answer.withLock { $0 = outcome }
            return []
        }
        return answer.withLock { $0 }
    }

    /// Closes a run; with the last one the file is closed.
    func close(_ run: JournalRun) async {
        if run.generation == generation { unclosed.append(JournalLease.End(run: run.id, at: now)) }
        let ends = unclosed
        // If this cannot be written, the lease ends with the next opening or closing, or with the process.
        let written = try? await write(in: run.generation, isFlushed: false, rows: ends.count) { database in
            for end in ends { try end.write(in: database) }
            return []
        }
        if written != nil { unclosed.removeAll(where: ends.contains) }
        sessions -= 1
        guard sessions <= 0, openings == 0, let connection else { return }
        connection.close(at: now)
        self.connection = nil
        holder = nil
    }

    // MARK: Writing

    /// Runs `work` in a transaction together with other waiting work, and returns when it is committed, or on disk if
    /// it must be flushed. `generation` belongs to the run.
    func write(
        in generation: Int, isFlushed: Bool, rows: Int, _ work: @escaping WaitingWrites.Work
    ) async throws(JournalProblem) -> [Int64] {
        guard generation == self.generation, connection != nil else {
            throw JournalProblem(.lost, "journal \(path): was deleted or replaced")
        }
        let result = await withCheckedContinuation { continuation in
            waiting.append(
                WaitingWrites.Write(rows: rows, isFlushed: isFlushed, work: work, continuation: continuation))
            guard !isWriting else { return }
            isWriting = true
            // Ends by itself when nothing is waiting; the callers that wait for it keep this file alive.
            Task { await writeWaiting() }
        }
        return try result.get()
    }

    private func writeWaiting() async {
        while !waiting.isEmpty {
            let batch = waiting.takeBatch()
            let result = await perform(batch)
            for (index, one) in batch.enumerated() { one.continuation.resume(returning: result.map { $0[index] }) }
            if waiting.isEmpty, let connection { upkeep = await upkeep.step(on: connection, at: now) }
        }
        isWriting = false
    }

    private func perform(_ batch: [WaitingWrites.Write]) async -> Result<[[Int64]], JournalProblem> {
        guard let connection else {
            return .failure(JournalProblem(.lost, "journal \(path): was deleted or replaced"))
        }
        let isFlushed = batch.contains(where: \.isFlushed)
        let works = batch.map(\.work)
        do {
            let (rows, lastClaim) = try await connection.commit(
                works, isFlushed: isFlushed, within: settings.lockPatience)
            guard connection.isStillThere else { return .failure(lost("was deleted or replaced")) }
            if let lastClaim { holder?.note(lastClaim: lastClaim) }
            return .success(rows)
        } catch let error where DatabaseFault.isDamage(error) {
            return .failure(lost(DatabaseErrorText.clause(error)))
        } catch {
            guard connection.isStillThere else { return .failure(lost("was deleted or replaced")) }
            return .failure(JournalProblem(.cannotWrite, "journal \(path): \(DatabaseErrorText.sentence(error))"))
        }
    }

    /// Abandons the file. Every session learns of it with its next write and opens again; the first of them creates a
    /// new file.
    private func lost(_ words: String) -> JournalProblem {
        guard let connection else { return JournalProblem(.lost, "journal \(path): \(words)") }
        // Its log is missing or damaged: the remaining file cannot be opened beside the connection that stays open.
        if let aside = moveAside(connection) { notice = "journal \(words), moved aside to \(aside)" }
        abandoned.append(connection)
        self.connection = nil
        holder = nil
        return JournalProblem(.lost, "journal \(path): \(words)")
    }

    /// Moves the file aside if the path still is that of the open one; nil if not, or if another process does so now.
    private func moveAside(_ connection: JournalConnection) -> String? {
        do {
            guard let lock = try FileLock(path: file + ".repair") else { return nil }
            return lock.held { connection.isSameFile ? DamagedJournal.moveAside(file) : nil }
        } catch {
            return nil
        }
    }

    // MARK: Opening the file

    /// Opens the file unless it is open.
    private func connect() throws(JournalProblem) {
        guard connection == nil else { return try renewHolder() }
        guard abandoned.count < Self.losses else {
            throw JournalProblem(.cannotOpen, "journal \(path): was lost \(Self.losses) times; not created again")
        }
        do throws(FileProblem) {
            try StateFolder.make(LinkedPath.folder(of: path))
            file = LinkedPath.resolved(path)
            try StateFolder.make(LinkedPath.folder(of: file))
            upkeep = JournalUpkeep(path: file, settings: settings)
            holder = try JournalHolder(beside: file)
        } catch {
            throw JournalProblem(.cannotOpen, "journal \(error)")
        }
        do throws(JournalProblem) {
            try openConnection()
        } catch {
            // Its file would stay beside a file that is no journal.
            holder = nil
            throw error
        }
        generation += 1
        unclosed = []
    }

    private func openConnection() throws(JournalProblem) {
        do {
            connection = try makeConnection()
        } catch let error where DatabaseFault.isDamage(error) {
            try replaceDamaged()
        } catch {
            throw DatabaseFault.problem(error, opening: path)
        }
    }

    /// Makes the lock file again if it was removed, for example by a cleaner of temporary files.
    private func renewHolder() throws(JournalProblem) {
        guard holder?.isThere == false else { return }
        do throws(FileProblem) {
            holder = try JournalHolder(beside: file)
            if let connection { holder?.note(lastClaim: connection.lastClaim) }
        } catch {
            throw JournalProblem(.cannotOpen, "journal \(error)")
        }
    }

    /// Moves a damaged file aside, unless another process did so in the meantime.
    private func replaceDamaged() throws(JournalProblem) {
        do {
            guard let lock = try FileLock(path: file + ".repair") else {
                throw JournalProblem(.damaged, "journal \(path): another adtop is repairing it; start again")
            }
            try lock.held {
                do {
                    connection = try makeConnection()
                } catch let error where DatabaseFault.isDamage(error) || error as? JournalKind == .noDatabase {
                    // Closing a file that is no database any more removes its log, which told that it was one.
                    let ended = EndedHolders(beside: file)
                    let aside = DamagedJournal.moveAside(file)
                    ended.remove()
                    notice = "journal was damaged, moved aside to \(aside): beacons sent before are unknown"
                    connection = try makeConnection()
                }
            }
        } catch {
            throw DatabaseFault.problem(error, opening: path)
        }
    }

    private func makeConnection() throws -> JournalConnection {
        guard FileIdentity(file)?.isFolder != true else { throw FileProblem(path: path, reason: .isFolder) }
        // Before the database is read: a process may end in between.
        let ended = EndedHolders(beside: file)
        let connection = try JournalConnection(
            path: file, named: path, holder: holder?.name ?? "", after: ended, version: settings.version,
            patience: settings.busyTimeout, at: now)
        holder?.note(lastClaim: connection.lastClaim)
        ended.remove()
        return connection
    }
}
