import Dispatch
import Locks
import Screen

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Runs a small program with a text on its standard input and a time limit. Blocks: call it on a thread of its own.
enum Subprocess {
    /// True when the program read all of the input and ended with status 0 in time. Its output is discarded.
    static func run(_ arguments: [String], input: [UInt8], environment: [String: String], limit: Duration) -> Bool {
        guard let (ours, theirs) = connectedPair() else { return false }
        let child = spawn(arguments, environment: environment, input: theirs)
        SystemCalls.close(theirs)
        guard let child else {
            SystemCalls.close(ours)
            return false
        }
        let exit = Exit(child)
        let deadline = SystemCalls.uptime() + limit
        let isWritten = feed(input, to: ours, until: deadline)
        SystemCalls.close(ours)
        let status = exit.wait(until: deadline)
        return isWritten && status == 0
    }

    /// A socket pair and no pipe: writing to a program that has ended must not raise SIGPIPE.
    private static func connectedPair() -> (ours: Int32, theirs: Int32)? {
        var pair: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
        for fd in pair { _ = fcntl(fd, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
        #if !canImport(Glibc)
            var on: Int32 = 1
            setsockopt(pair[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return (pair[0], pair[1])
    }

    private static func spawn(_ arguments: [String], environment: [String: String], input: Int32) -> pid_t? {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?, attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // The program must not inherit our masks and handlers; a group of its own keeps ^C and ^\ from it.
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var child = pid_t()
        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        guard let name = words.first ?? nil else { return nil }
        return posix_spawnp(&child, name, &actions, &attributes, words, variables) == 0 ? child : nil
    }

    private static func feed(_ input: [UInt8], to fd: Int32, until deadline: Duration) -> Bool {
        var index = 0
        while index < input.count {
            let count = input[index...].withUnsafeBytes { send(fd, $0.baseAddress, $0.count, noSignal) }
            if count > 0 {
                index += count
            } else if count < 0, errno == EAGAIN {
                let left = (deadline - SystemCalls.uptime()) / .milliseconds(1)
                var descriptor = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
                guard left > 0, poll(&descriptor, 1, Int32(clamping: Int(left) + 1)) > 0 else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    #if canImport(Glibc)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        private static let noSignal: Int32 = 0
    #endif

    /// Waits for a child on a thread of its own, because nothing portable waits with a time limit.
    private final class Exit: Sendable {
        private let child: pid_t
        private let ended = DispatchSemaphore(value: 0)
        private let status = Locked<Int32>(-1)

        init(_ child: pid_t) {
            self.child = child
            if PosixThread.start({ self.waitForChild() }) { return }
            kill(child, SIGKILL)
            waitForChild()
        }

        private func waitForChild() {
            var value: Int32 = -1
            while waitpid(child, &value, 0) < 0, errno == EINTR {}
            let result = value
            status.withLock { $0 = result }
            ended.signal()
        }

        /// The status word, 0 for success; a child that is late is killed.
        func wait(until deadline: Duration) -> Int32 {
            let left = max((deadline - SystemCalls.uptime()) / .milliseconds(1), 0)
            if ended.wait(timeout: .now() + .milliseconds(Int(left))) == .timedOut {
                kill(child, SIGKILL)
                ended.wait()
            }
            return status.withLock { $0 }
        }
    }
}
