import ArgumentParser
import CreativeServer
import Foundation
import Live
import Ports
import Screen

/// The option for the certificate folder.
struct CertificateFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Certificate folder (default $XDG_DATA_HOME/adtop/tls).", valueName: "folder"),
        completion: .directory)
    var tlsFolder: String?

    mutating func validate() throws { try CacheFolderOptions.rejectEmpty(tlsFolder, flag: "--tls-folder") }

    func certificates() throws(CommandFailure) -> LocalCertificates { try Self.certificates(in: tlsFolder) }

    func identity() throws(CommandFailure) -> TLSIdentity { try Self.identity(in: tlsFolder) }

    /// Nil is the default folder.
    private static func certificates(in folder: String?) throws(CommandFailure) -> LocalCertificates {
        let environment = ProcessInfo.processInfo.environment
        guard
            let path = folder.map(CacheFolderOptions.absolute)
                ?? LocalCertificates.defaultPath(environment: environment)
        else {
            throw CommandFailure(
                .usage,
                "no certificate folder: neither XDG_DATA_HOME nor HOME is an absolute path; set one, or use --tls-folder"
            )
        }
        return try wrap { () throws(CreativeServerError) in
            try LocalCertificates(folder: path, wallClock: { SystemTimeSource().now().wall })
        }
    }

    /// Creates missing certificates; nil is the default folder.
    static func identity(in folder: String?) throws(CommandFailure) -> TLSIdentity {
        let certificates = try certificates(in: folder)
        return try wrap { () throws(CreativeServerError) in try certificates.identity() }
    }

    static func status(of certificates: LocalCertificates) throws(CommandFailure) -> LocalCertificates.Status {
        try wrap { () throws(CreativeServerError) in try certificates.status() }
    }

    static func wrap<Value>(_ body: () throws(CreativeServerError) -> Value) throws(CommandFailure) -> Value {
        do throws(CreativeServerError) {
            return try body()
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
    }

    /// Text output: the files, their expiry and how to trust the authority.
    static func lines(of certificates: LocalCertificates) throws(CommandFailure) -> [String] {
        let status = try status(of: certificates)
        let now = SystemTimeSource().now().wall
        // A folder may have blanks in its name.
        let file = TerminalSequence.shellQuoted(status.authorityFile)
        func days(_ end: UnixTime) -> String {
            Int(clamping: (end - now).inMilliseconds / 86_400_000).counted("day")
        }
        return [
            "authority  \(status.authorityFile)", "sha-256    \(status.fingerprint)",
            "expires    \(status.authorityEnd.iso8601), in \(days(status.authorityEnd))",
            "leaf       \(status.leafEnd.iso8601), in \(days(status.leafEnd))",
            "key        \(status.hasAuthorityKey ? "kept, readable by the owner only" : "deleted")",
            "curl       curl --cacert \(file) https://localhost:16257/status",
            "Debian     sudo cp \(file) /usr/local/share/ca-certificates/adtop.crt && sudo update-ca-certificates",
            "Chromium   certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n adtop -i \(file)",
            "Firefox    Settings, Certificates, Authorities, Import",
        ]
    }
}
