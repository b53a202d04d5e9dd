import AdTracking

/// The journal's work in order, one piece at a time, so that claims that wait for a flush share the next one.
struct JournalQueue {
    let port: any Journal
    private var waiting: [Effect] = []
    private var isBusy = false

    init(_ port: any Journal) {
        self.port = port
    }

    /// True when somebody must start calling `next`.
    mutating func append(_ effect: Effect) -> Bool {
        waiting.append(effect)
        if isBusy { return false }
        isBusy = true
        return true
    }

    /// The next piece of work; nil ends the run that `append` asked for.
    mutating func next() -> JournalWork? {
        guard let first = waiting.first else {
            isBusy = false
            return nil
        }
        if case .openJournal(let session) = first {
            waiting.removeFirst()
            return .open(session)
        }
        let end = waiting.firstIndex { if case .openJournal = $0 { true } else { false } } ?? waiting.endIndex
        let work = JournalWork.write(Array(waiting[..<end]))
        waiting.removeSubrange(..<end)
        return work
    }
}

/// One piece of journal work and the inputs it ends in.
enum JournalWork: Sendable {
    case open(SessionKey)
    case write([Effect])

    func perform(_ journal: any Journal) async -> [Input] {
        switch self {
        case .open(let session):
            do throws(JournalProblem) {
                let opening = try await journal.open(session)
                return [.journalOpened(opening)]
            } catch {
                return [.journalFailed(error.message)]
            }
        case .write(let effects):
            return await Self.write(effects, to: journal)
        }
    }

    /// All claims in one flush, then all outcomes: what was flushed may be sent even when an outcome cannot be noted.
    private static func write(_ effects: [Effect], to journal: any Journal) async -> [Input] {
        var claims: [JournalClaim] = []
        var outcomes: [JournalOutcome] = []
        var inputs: [Input] = []
        for effect in effects {
            switch effect {
            case .writeClaims(let records):
                claims += records
            case .writeOutcomes(let records):
                outcomes += records
            case .fetch, .openJournal, .send, .wake:
                break
            }
        }
        do throws(JournalProblem) {
            if !claims.isEmpty {
                try await journal.writeClaims(claims)
                inputs.append(.claimsWritten(claims.map { ClaimID($0.number) }))
            }
        } catch {
            return [.journalFailed(error.message)]
        }
        do throws(JournalProblem) {
            if !outcomes.isEmpty { try await journal.writeOutcomes(outcomes) }
        } catch {
            inputs.append(.journalFailed(error.message))
        }
        return inputs
    }
}
