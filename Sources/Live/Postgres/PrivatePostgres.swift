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
/// with nothing on the network unless a test asks for a port. It ends, and its folder is removed, with the value or with this process, however
/// that ends: a shell waits for a pipe that closes then.
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
    private let port: Int?
    private let script: TiedScript
    private let isStandby: Locked<Bool>

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
    /// - Parameters:
    ///   - settings: more settings of the server, as in `synchronous_standby_names=*`.
    ///   - primary: a server of which it is a standby, with streaming replication; nil for a server with data of its own.
    ///   - port: where it listens on 127.0.0.1, too, and lets everybody in; nil for nowhere.
    package init(
        settings: [String] = [], standbyOf primary: PrivatePostgres? = nil, port: Int? = nil
    ) throws(Problem) {
        guard let programs = Self.programs else {
            throw Problem(description: "postgres: not installed; install the package postgresql")
        }
        let user = try Self.serverUser()
        var template = Array("/tmp/adtop-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Problem(description: "/tmp: \(SystemErrorText.words(errno)); make room there")
        }
        self.port = port
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if let user { _ = chown(folder, user.identifier, user.group) }
        isStandby = Locked(primary != nil)
        let own = [
            "listen_addresses=\(port == nil ? "" : "127.0.0.1")", "port=\(port ?? 5432)",
            "unix_socket_directories=\(folder)", "shared_buffers=64MB", "max_wal_size=256MB",
            "log_min_messages=warning",
        ]
        let options = (own + settings).flatMap { ["-c", $0] }
        do throws(TiedScript.Failure) {
            script = try TiedScript(
                Self.text, [folder, programs, Self.owner, primary?.folder ?? ""] + options, named: "adtop-postgres",
                prefix: user.map { ["/usr/bin/setpriv"] + $0.arguments } ?? [],
                environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], folder: folder)
        } catch {
            throw Problem(description: "postgres: \(SystemErrorText.words(error.code)); install util-linux")
        }
    }

    /// Ends the server and waits for it; at most some four seconds.
    package func stop() { script.stop() }

    /// Ends the server at once, as in a crash (immediate mode), and starts it again; it answers after ``waitUntilReady()``.
    package func restart() { script.order("restart") }

    /// Ends the server at once, as in a crash, for good. Its folder stays until ``stop()``.
    package func crash() { script.order("crash") }

    /// Makes a standby a primary; it is one after ``waitUntilReady()``.
    package func promote() {
        isStandby.withLock { $0 = false }
        script.order("promote")
    }

    /// The address of a database for a role, both without special characters.
    package func address(_ database: String = "postgres", as role: String = PrivatePostgres.owner) -> String {
        "postgres://\(role)@/\(database)?host=\(folder)" + (port.map { "&port=\($0)" } ?? "")
    }

    /// Waits until the server answers, and unless it is a standby, until it can be written to.
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
                if case .standby = error, isStandby.withLock({ $0 }) { return }
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

    /// Arguments: folder, programs, owner, folder of the primary or an empty text, options of the server. Its output is the log. It reads
    /// its standard input to the end, which comes when the other end of the pipe closes; each line is an order.
    private static let text = """
        folder=$1 programs=$2 owner=$3 primary=$4
        shift 4
        trap '' HUP INT TERM
        if [ -n "$primary" ]; then
            "$programs/pg_basebackup" -D "$folder/data" -h "$primary" -U "$owner" -R -X stream -c fast --no-sync -w </dev/null
        else
            "$programs/initdb" -D "$folder/data" -A trust -U "$owner" --no-locale -E UTF8 --no-sync
        fi
        "$programs/postgres" -D "$folder/data" "$@" </dev/null &
        server=$!
        while read -r order; do
            if [ "$order" = promote ]; then
                "$programs/pg_ctl" promote -D "$folder/data" </dev/null
                continue
            fi
            kill -QUIT $server
            wait $server
            [ "$order" = crash ] && continue
            "$programs/postgres" -D "$folder/data" "$@" </dev/null &
            server=$!
        done
        kill -INT $server
        { sleep 3; kill -QUIT $server; } 2>/dev/null &
        guard=$!
        wait $server
        kill $guard
        rm -rf "$folder"
        """
}
