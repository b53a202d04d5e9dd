import CreativeCache
import Locks
import Ports

/// The disk tier of a shelf: what its store plans is carried out, and what other programs change in the folder is taken in.
extension CreativeShelf {
    /// Most problems kept for the report.
    private static let maximumProblems = 20

    func restore() {
        guard let disk else { return }
        let now = wallClock()
        state.withLock { state in
            do throws(FileProblem) {
                let found = try disk.found()
                for record in found.records where !state.store.restore(record, at: now) { disk.delete(record.id) }
                state.marks = found.marks
                found.problems.forEach { note($0, &state) }
            } catch {
                note(error, &state)
            }
            carryOut(&state, at: now)
        }
    }

    /// Performs the disk operations that the store planned.
    func carryOut(_ state: inout State, at now: UnixTime) {
        let changes = state.store.takeChanges()
        guard let disk, !changes.isEmpty else { return }
        for change in changes {
            switch change {
            case .delete(let id):
                // A file that another program wrote in the meantime is not the one to delete.
                let current = try? disk.mark(of: id)
                if let mark = state.marks.removeValue(forKey: id), let current, current != mark { continue }
                disk.delete(id)
            case .write(let id):
                guard let record = state.store.record(id),
                    let content = state.store.content(id) ?? (try? disk.read(id))?.content
                else { continue }
                do throws(FileProblem) {
                    state.marks[id] = try disk.write(record, content)
                } catch {
                    lose(id, &state)
                    note(error, &state)
                }
            }
        }
    }

    func load(_ id: CreativeID, _ state: inout State, at now: UnixTime) {
        do throws(FileProblem) {
            guard let content = try disk?.read(id).content else { return lose(id, &state) }
            state.store.loaded(content, for: id, at: now)
        } catch {
            lose(id, &state)
            if error.reason != .missing { note(error, &state) }
        }
    }

    /// Adds a creative that another program has written to disk in the meantime.
    func find(_ id: CreativeID, _ state: inout State, at now: UnixTime) -> Bool {
        guard let disk, state.store.record(id) == nil else { return false }
        do throws(FileProblem) {
            return take(try disk.read(id), &state, at: now)
        } catch {
            if error.reason != .missing { note(error, &state) }
            return false
        }
    }

    /// Adds what was read from disk; false when it may not be used any more.
    private func take(
        _ read: (record: CreativeRecord, content: CachedCreative.Content, mark: FileMark), _ state: inout State,
        at now: UnixTime
    ) -> Bool {
        guard state.store.restore(read.record, at: now) else { return false }
        state.marks[read.record.id] = read.mark
        state.store.loaded(read.content, for: read.record.id, at: now)
        return true
    }

    /// Makes the creative what its file is: another program may have replaced or deleted it.
    func refresh(_ id: CreativeID, _ state: inout State, at now: UnixTime) {
        // If the folder cannot be read, no creative is known to have changed.
        guard let disk, let mark = state.marks[id], let current = try? Optional.some(disk.mark(of: id)), current != mark
        else { return }
        guard let current else {
            state.marks[id] = nil
            return state.store.forget(id)
        }
        state.marks[id] = current
        // What is in memory outlives a file that was damaged.
        guard let read = disk.whole(id) else { return }
        state.marks[id] = nil
        state.store.forget(id)
        _ = take(read, &state, at: now)
    }

    /// The file of a creative cannot be read or written.
    private func lose(_ id: CreativeID, _ state: inout State) {
        state.marks[id] = nil
        state.store.lost(id)
    }

    /// Compares the whole folder with what is known of it.
    func reconcile(_ state: inout State, at now: UnixTime) {
        guard let disk else { return }
        if let last = state.reconciledAt, now >= last, now - last < Self.reconcileInterval { return }
        state.reconciledAt = now
        let mark = disk.folder.changeMark
        guard mark != state.changeMark else { return }
        state.changeMark = mark
        for id in state.store.idsOnDisk { refresh(id, &state, at: now) }
    }

    private func note(_ problem: FileProblem, _ state: inout State) {
        let advice =
            problem.reason == .full ? "; the memory tier keeps working (free some space, or use --memory-only)" : ""
        let text = "\(problem)\(advice)"
        guard !state.problems.contains(text) else { return }
        state.problems.append(text)
        if state.problems.count > Self.maximumProblems { state.problems.removeFirst() }
    }
}
