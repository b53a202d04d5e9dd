import CreativeCache
import CreativeServer
import Dashboard
import Foundation
import Live
import Monitoring
import Ports
import Session

/// The creative cache of a session: a loopback server in this process that reports its changes to the session as
/// inputs.
final class SessionCache: Sendable {
    /// Changes within this interval reach the session as one report.
    static let reportInterval: Duration = .milliseconds(300)

    let shelf: CreativeShelf
    let address: CacheReport.Address
    private let server: LoopbackServer

    /// The time to live that `extend` sets.
    private let defaultLife: Duration
    /// For the copies on remote caches.
    private let input: InputSource

    /// Starts a server that keeps everything in memory. Without a port in the settings it uses the default port, or a
    /// free port when that is in use. Without a TLS setting it serves HTTPS only if this computer already has
    /// certificates; a session does not create them.
    init(_ settings: CacheSettings, input: InputSource) throws(CommandFailure) {
        var limits = settings.limits
        limits.diskBytes = nil
        let shelf = CreativeShelf(
            limits: limits, rules: settings.rules, wallClock: { SystemTimeSource().now().wall })
        var configuration = LoopbackServer.Configuration()
        configuration.port = settings.rules.port
        configuration.usesIPv6 = settings.usesIPv6
        configuration.identity = try Self.identity(settings.usesTLS)
        var server = LoopbackServer(shelf, configuration: configuration)
        var bound: LoopbackServer.Address
        do throws(CreativeServerError) {
            bound = try server.start()
        } catch {
            guard settings.port == nil else {
                throw CommandFailure(.usage, error.text(portFlag: "--\(Setting.cachePort.rawValue)"))
            }
            configuration.port = 0
            server = LoopbackServer(shelf, configuration: configuration)
            bound = try server.startForCommand()
        }
        self.shelf = shelf
        self.input = input
        self.server = server
        defaultLife = min(limits.defaultLife, limits.maximumLife)
        address = CacheReport.Address(
            port: bound.port, isSecure: bound.isSecure, certificateEnd: bound.certificateEnd)
    }

    private static func identity(_ isWanted: Bool?) throws(CommandFailure) -> TLSIdentity? {
        guard let isWanted else { return existingIdentity() }
        return isWanted ? try CertificateFolderOptions.identity(in: nil) : nil
    }

    private static func existingIdentity() -> TLSIdentity? {
        let environment = ProcessInfo.processInfo.environment
        guard let path = LocalCertificates.defaultPath(environment: environment),
            FileManager.default.fileExists(atPath: path + "/leaf.key"),
            // Unusable certificates are reported by `cache cert`, not by the dashboard.
            let certificates = try? LocalCertificates(
                folder: path, wallClock: { SystemTimeSource().now().wall })
        else { return nil }
        return try? certificates.identity()
    }

    func stop() { server.stop() }

    /// Reports every change to the session until the calling task is cancelled.
    func report(to monitor: Monitor) async {
        await monitor.submit(.beside(.cacheReported(shelf.report(address: address))))
        for await _ in shelf.changes {
            // The report includes changes during the interval.
            guard (try? await Task.sleep(for: Self.reportInterval)) != nil else { return }
            await monitor.submit(.beside(.cacheReported(shelf.report(address: address))))
        }
    }

    /// Performs the command of a key in the cache view; returns a message for the user.
    func perform(_ command: CacheAction) async -> (text: String, isGood: Bool) {
        switch command {
        case .delete(let id):
            return shelf.remove(id) ? ("\(id.short): deleted", true) : ("\(id.short): no longer cached", false)
        case .purge: return ("\(shelf.removeAll().counted("creative")) deleted", true)
        case .extend(let id):
            return shelf.extend(id)
                ? ("\(id.short): expires in \(defaultLife.text)", true)
                : ("\(id.short): no longer cached", false)
        case .writeSnippet: return writeSnippet()
        case .compare(let id): return await compare(id)
        }
    }

    private func writeSnippet() -> (String, Bool) {
        let path = "adtop-creative-\(address.port).html"
        do throws(CommandFailure) {
            try ExportFile.write(CreativeSnippet(server: .gam, port: address.port).text, to: path)
            return ("creative code written to \(path)", true)
        } catch {
            return (error.message, false)
        }
    }

    private func compare(_ id: CreativeID) async -> (String, Bool) {
        guard let found = shelf.creative(id) else { return ("\(id.short): no longer cached", false) }
        guard let url = found.record.fallbackURL else { return ("\(id.short): no fallback URL to compare with", false) }
        do throws(CommandFailure) {
            let remote = try await input.named(by: "").read(url, limit: StoreLimits().entryBytes)
            let comparison = RemoteComparison(local: found.content, remote: remote.bytes)
            return ("\(id.short): \(comparison.sentence)", comparison != .differs)
        } catch {
            return (error.message, false)
        }
    }
}

extension CreativeID {
    /// The start of the id, as in the access log.
    fileprivate var short: String { String(text.prefix(AccessRecord.idLength)) }
}

extension LoopbackServer {
    /// Starts the server; a port in use is a usage error.
    func startForCommand() throws(CommandFailure) -> Address {
        do throws(CreativeServerError) {
            return try start()
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }
}
