import Fleet
import Foundation
import Locks
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A PostgreSQL server of our own, for tests and demonstrations: in a folder that only its user may enter, on a socket in that folder,
/// with nothing on the network. It ends, and its folder is removed, with the value or with this process, however that ends: a shell
/// waits for a pipe that closes then.
package final class PrivatePostgres: Sendable {
    /// Why it could not be started.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        /// *thing: problem; remedy*
        package let description: String
    }

    /// The role that owns its databases, a superuser.
    package static let owner = "owner"

    /// Its data, socket and log.
    package let folder: String
    private let process: ReapedProcess
    private let lifeline: PluginPipe.End
    private let isStopped = Locked(false)

    /// The folder of the newest version's programs; nil where there is none.
    package static var programs: String? {
        let debian = "/usr/lib/postgresql"
        // Where the folder cannot be read, there is nothing to start.
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
        let newest = versions.compactMap(Int.init).sorted(by: >).map { "\(debian)/\($0)/bin" }
        return (newest + ["/opt/homebrew/opt/postgresql/bin", "/usr/local/opt/postgresql/bin"]).first { folder in
            ["initdb", "postgres"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
        }
    }

    /// Starts one; it answers after ``waitUntilReady()``.
    /// - Parameter settings: more settings of the server, as in `synchronous_standby_names=*`.
    package init(settings: [String] = []) throws(Problem) {
        guard let programs = Self.programs else {
            throw Problem(description: "postgres: not installed; install the package postgresql")
        }
        let user = try Self.serverUser()
        var template = Array("/tmp/adtop-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Problem(description: "/tmp: \(SystemErrorText.words(errno)); make room there")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if let user { _ = chown(folder, user.identifier, user.group) }
        guard let pipe = PluginPipe() else { throw Problem(description: "postgres: no descriptors; raise ulimit -n") }
        lifeline = pipe.write
        let log = open("\(folder)/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { if log >= 0 { close(log) } }
        let own = [
            "listen_addresses=", "unix_socket_directories=\(folder)", "shared_buffers=64MB", "max_wal_size=256MB",
            "log_min_messages=warning",
        ]
        let options = (own + settings).flatMap { ["-c", $0] }
        let words = ["-c", Self.script, "adtop-postgres", folder, programs, Self.owner] + options
        let command = user.map { ["setpriv"] + $0.arguments + ["/bin/sh"] + words } ?? ["/bin/sh"] + words
        let started = ReapedProcess.startApart(
            user == nil ? "/bin/sh" : "/usr/bin/setpriv", Array(command.dropFirst()),
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], folder: folder, input: pipe.read.number,
            output: log >= 0 ? log : 2)
        pipe.read.close()
        switch started {
        case .success(let process): self.process = process
        case .failure(let failure):
            throw Problem(description: "postgres: \(SystemErrorText.words(failure.code)); install util-linux")
        }
    }

    deinit {
        stop()
    }

    /// Ends the server and waits for it; at most some four seconds.
    package func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        lifeline.close()
        _ = process.wait()
    }

    /// The address of a database for a role, both without special characters.
    package func address(_ database: String = "postgres", as role: String = PrivatePostgres.owner) -> String {
        "postgres://\(role)@/\(database)?host=\(folder)"
    }

    /// Waits until the server answers.
    package func waitUntilReady() async throws(Problem) {
        let address: PostgresAddress
        do throws(StoreProblem) {
            address = try PostgresAddress(self.address())
        } catch {
            throw Problem(description: error.sentence)
        }
        let end = ContinuousClock.now + .seconds(30)
        var last = ""
        while ContinuousClock.now < end {
            let connection = PostgresConnection(address, application: "adtop/ready", task: .create)
            do throws(StoreProblem) {
                try await connection.open()
                await connection.close()
                return
            } catch {
                last = error.sentence
            }
            // Nothing announces that the server answers. A cancelled wait tries again sooner.
            try? await Task.sleep(for: .milliseconds(50))
        }
        throw Problem(description: "postgres: does not answer (\(last)); see \(folder)/log")
    }

    /// Another user of the system.
    private struct User {
        var name: String
        var identifier: uid_t
        var group: gid_t

        var arguments: [String] {
            ["--reuid=\(identifier)", "--regid=\(group)", "--clear-groups", "--inh-caps=-all"]
        }
    }

    /// Who runs the server: PostgreSQL does not run as root. Nil for the user of this process.
    private static func serverUser() throws(Problem) -> User? {
        guard getuid() == 0 else { return nil }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else {
            throw Problem(description: "postgres: does not run as root; use another user, or install util-linux")
        }
        for name in ["postgres", "nobody"] {
            if let entry = getpwnam(name)?.pointee {
                return User(name: name, identifier: entry.pw_uid, group: entry.pw_gid)
            }
        }
        throw Problem(description: "postgres: does not run as root; use another user")
    }

    /// Arguments: folder, programs, owner, options of the server. Its output is the log. It reads its standard input to the end, which comes when the other end of
    /// the pipe closes.
    private static let script = """
        folder=$1 programs=$2 owner=$3
        shift 3
        trap '' HUP INT TERM
        "$programs/initdb" -D "$folder/data" -A trust -U "$owner" --no-locale -E UTF8 --no-sync
        "$programs/postgres" -D "$folder/data" "$@" </dev/null &
        server=$!
        cat >/dev/null
        kill -INT $server
        { sleep 3; kill -QUIT $server; } 2>/dev/null &
        guard=$!
        wait $server
        kill $guard
        rm -rf "$folder"
        """
}
