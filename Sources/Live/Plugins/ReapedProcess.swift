import CSpawn
import Foundation
import Locks

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A started program that is waited for. Its number is signalled only while the program, or what the kernel keeps of it, has
/// that number: the number is freed under the same lock.
final class ReapedProcess: Sendable {
    private let identifier: pid_t
    private let isReaped = Locked(false)

    /// Starts `executable` in its own folder, without arguments and environment. Returns the error number when it cannot be
    /// started. The descriptors remain the caller's.
    static func start(
        _ executable: URL, input: Int32, output: Int32, errors: Int32
    ) -> Result<ReapedProcess, StartFailure> {
        // The path is resolved in the new folder.
        let path = executable.absoluteURL.standardizedFileURL
        var identifier: pid_t = 0
        let code = adtop_spawn(&identifier, path.path, path.deletingLastPathComponent().path, input, output, errors)
        return code == 0 ? .success(ReapedProcess(identifier)) : .failure(StartFailure(code: code))
    }

    /// Starts `executable` with arguments and an environment, in a process group of its own. Returns the error number when it cannot be
    /// started. The descriptors remain the caller's.
    static func startApart(
        _ executable: String, _ arguments: [String], environment: [String: String], folder: String, input: Int32,
        output: Int32
    ) -> Result<ReapedProcess, StartFailure> {
        var identifier: pid_t = 0
        let words = ([executable] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        let code = adtop_spawn_apart(&identifier, executable, words, variables, folder, input, output, output)
        return code == 0 ? .success(ReapedProcess(identifier)) : .failure(StartFailure(code: code))
    }

    struct StartFailure: Error {
        /// The error number.
        let code: Int32
    }

    private init(_ identifier: pid_t) {
        self.identifier = identifier
    }

    /// Waits until the program has ended, even if other processes hold its descriptors, and returns how it ended, as a clause.
    func wait() -> String {
        var information = siginfo_t()
        // Without this, the number would be free before the lock is held.
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return isReaped.withLock { isReaped in
            isReaped = true
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            return signal == 0 ? "ended with status \((status >> 8) & 0xFF)" : "ended by signal \(signal)"
        }
    }

    /// Sends a signal; false when the program has ended and was waited for.
    @discardableResult
    func signal(_ number: Int32) -> Bool {
        isReaped.withLock { isReaped in
            guard !isReaped else { return false }
            return kill(identifier, number) == 0
        }
    }
}
