import Foundation
import Locks

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a program could not be started with.
package struct SpawnFailure: Error, CustomStringConvertible {
    package let description: String
}

/// Starts programs so that none inherits what belongs to another.
enum Spawn {
    #if canImport(Glibc)
        // POSIX_SPAWN_SETSID of spawn.h, hidden behind _GNU_SOURCE there.
        private static let newSession: Int32 = 0x80
    #else
        private static let newSession = Int32(POSIX_SPAWN_SETSID)
    #endif

    #if canImport(Glibc)
        typealias Actions = posix_spawn_file_actions_t
    #else
        typealias Actions = posix_spawn_file_actions_t?
    #endif

    /// Held from the making of a descriptor until it is marked as closing on exec, and while a program starts: between the
    /// two a program could inherit it, and a pipe that never closes would never end.
    ///
    /// The value has no meaning, but a size: the thread sanitizer takes a value without one for the head of its object, and reports
    /// a race with whoever reads that.
    static let lock = Locked(false)

    /// The options of a sanitizer hold for the programs, too (scripts/sanitize).
    private static let sanitizer = ProcessInfo.processInfo.environment.filter {
        ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
    }

    /// Starts a program with no signal blocked or ignored; `prepare` says what its descriptors are.
    static func start(
        _ executable: String, _ arguments: [String], _ environment: [String: String], inNewSession: Bool = false,
        descriptors prepare: (inout Actions) -> Void
    ) throws -> Int32 {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?, attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        prepare(&actions)
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | (inNewSession ? newSession : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = ([executable] + arguments).map { strdup($0) } + [nil]
        let variables = environment.merging(sanitizer) { own, _ in own }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            (words + variables).forEach { free($0) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var process: Int32 = 0
        let code = lock.withLock { _ in posix_spawn(&process, executable, &actions, &attributes, words, variables) }
        guard code == 0 else { throw SpawnFailure(description: "\(executable): \(String(cString: strerror(code)))") }
        return process
    }

    /// A pipe that no program inherits.
    static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try lock.withLock { _ in
            guard Foundation.pipe(&ends) == 0 else {
                throw SpawnFailure(description: "no pipe: \(String(cString: strerror(errno)))")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        return (ends[0], ends[1])
    }
}

/// Pipes of a program that is about to start.
struct Streams {
    private let input: Int32
    private let ends: (output: Int32, errors: Int32)
    /// Where its standard output and standard error come out.
    let output: Int32, errors: Int32

    /// With `text` as its standard input.
    init(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard bytes.count <= 65_536 else { throw SpawnFailure(description: "the input is longer than a pipe") }
        let (input, output, errors) = (try Spawn.pipe(), try Spawn.pipe(), try Spawn.pipe())
        self.input = input.read
        ends = (output.write, errors.write)
        self.output = output.read
        self.errors = errors.read
        // Before it runs: afterwards a program that does not read it would end the test with SIGPIPE.
        let written = write(input.write, bytes, bytes.count)
        close(input.write)
        guard written == bytes.count else { throw SpawnFailure(description: "the input cannot be written") }
    }

    /// Starts the program; the ends that are its own are closed here.
    func spawn(_ executable: String, _ arguments: [String], _ environment: [String: String]) throws -> Int32 {
        defer { for end in [input, ends.output, ends.errors] { close(end) } }
        return try Spawn.start(executable, arguments, environment) { actions in
            posix_spawn_file_actions_adddup2(&actions, input, 0)
            posix_spawn_file_actions_adddup2(&actions, ends.output, 1)
            posix_spawn_file_actions_adddup2(&actions, ends.errors, 2)
        }
    }
}
