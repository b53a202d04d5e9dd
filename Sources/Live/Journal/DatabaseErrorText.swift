import GRDB

/// Words for what SQLite reports (https://www.sqlite.org/rescode.html): a clause that follows the file, and what helps.
enum DatabaseErrorText {
    /// `is read-only`, without a period.
    static func clause(_ error: any Error) -> String {
        if error is RowDecodingError { return "is damaged (a value has the wrong type)" }
        guard let error = error as? DatabaseError else { return "cannot be used" }
        return detail(error.extendedResultCode) ?? clause(error.resultCode)
    }

    /// The clause with its remedy.
    static func sentence(_ error: any Error) -> String {
        guard let error = error as? DatabaseError, let remedy = remedy(error.resultCode) else { return clause(error) }
        return "\(clause(error)); \(remedy)"
    }

    private static func detail(_ code: ResultCode) -> String? {
        switch code {
        case .SQLITE_CANTOPEN_ISDIR: "is a folder"
        case .SQLITE_CANTOPEN_SYMLINK: "is a symbolic link"
        case .SQLITE_READONLY_DBMOVED: "was moved or replaced"
        case .SQLITE_READONLY_DIRECTORY: "its folder is read-only"
        case .SQLITE_IOERR_NOMEM: "out of memory"
        case .SQLITE_IOERR_ACCESS, .SQLITE_IOERR_AUTH: "not permitted"
        case .SQLITE_IOERR_LOCK, .SQLITE_IOERR_RDLOCK, .SQLITE_IOERR_UNLOCK, .SQLITE_IOERR_CHECKRESERVEDLOCK,
            .SQLITE_IOERR_BLOCKED:
            "its file system does not lock files"
        case .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMLOCK, .SQLITE_IOERR_SHMMAP,
            .SQLITE_IOERR_MMAP:
            "its file system has no shared memory for it"
        case .SQLITE_IOERR_DATA, .SQLITE_IOERR_CORRUPTFS: "its file system is damaged"
        default: nil
        }
    }

    private static func clause(_ code: ResultCode) -> String {
        switch code {
        case .SQLITE_FULL: "the disk is full"
        case .SQLITE_READONLY: "is read-only"
        case .SQLITE_IOERR: "its disk cannot be read or written"
        case .SQLITE_CORRUPT: "is damaged"
        case .SQLITE_NOTADB, .SQLITE_FORMAT: "is not a journal, or damaged"
        case .SQLITE_CANTOPEN, .SQLITE_EMPTY: "cannot be opened"
        case .SQLITE_PERM, .SQLITE_AUTH: "not permitted"
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: "another program has locked it"
        case .SQLITE_NOMEM: "out of memory"
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: "was interrupted"
        case .SQLITE_TOOBIG: "an entry is too large"
        case .SQLITE_NOLFS: "too large for this system"
        case .SQLITE_ERROR, .SQLITE_SCHEMA, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_RANGE:
            "its tables are not those of this version"
        default: "cannot be used"
        }
    }

    private static func remedy(_ code: ResultCode) -> String? {
        switch code {
        case .SQLITE_FULL: "free some space"
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN, .SQLITE_IOERR:
            "make file and folder writable, or name another file with --journal"
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: "wait for it, or end it"
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_SCHEMA, .SQLITE_CONSTRAINT,
            .SQLITE_MISMATCH, .SQLITE_RANGE:
            "move it away, or name another file with --journal"
        default: nil
        }
    }
}
