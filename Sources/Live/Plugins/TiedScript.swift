import Locks
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A shell script in a process group of its own that learns when this value or this process is gone, however that ends: its standard input
/// closes then. The script must read its input to the end, end what it started, and ignore signals of a terminal.
package final class TiedScript: Sendable {
    /// Why it could not be started: the error number of the operating system.
    package struct Failure: Error, Hashable {
        package let code: Int32
    }

    private let process: ReapedProcess
    private let lifeline: PluginPipe.End
    private let isStopped = Locked(false)

    /// - Parameters:
    ///   - arguments: `$1` and so on.
    ///   - name: `$0`.
    ///   - prefix: a program with arguments that runs the shell, as `setpriv` does; empty for none.
    ///   - folder: where it runs; its output is appended to `log` there.
    package init(
        _ script: String, _ arguments: [String], named name: String, prefix: [String] = [],
        environment: [String: String], folder: String
    ) throws(Failure) {
        guard let pipe = PluginPipe() else { throw Failure(code: EMFILE) }
        lifeline = pipe.write
        let log = open("\(folder)/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { if log >= 0 { close(log) } }
        let words = prefix + ["/bin/sh", "-c", script, name] + arguments
        let started = ReapedProcess.startApart(
            words[0], Array(words.dropFirst()), environment: environment, folder: folder, input: pipe.read.number,
            output: log >= 0 ? log : 2)
        pipe.read.close()
        switch started {
        case .success(let process): self.process = process
        case .failure(let failure): throw Failure(code: failure.code)
        }
    }

    deinit {
        stop()
    }

    /// Writes a line to a script that reads orders; nothing after ``stop()``.
    func order(_ word: String) {
        isStopped.withLock { isStopped in
            // The pipe has a reader as long as the script runs; an order that cannot be written is one to a script that has ended.
            if !isStopped { _ = WholeWrite.write(Array("\(word)\n".utf8), to: lifeline.number) }
        }
    }

    /// Lets the script end, and waits for it.
    package func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        lifeline.close()
        _ = process.wait()
    }
}
