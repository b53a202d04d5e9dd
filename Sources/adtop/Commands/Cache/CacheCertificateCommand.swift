import ArgumentParser
import CreativeServer
import Foundation
import Live
import Ports

/// `adtop cache cert`
struct CacheCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cert", abstract: "Manage the certificates of this computer.",
        discussion: """
            The authority may name localhost, 127.0.0.1 and ::1 only, so a stolen key is of no use elsewhere. Trusting it \
            is your act: adtop never installs it.

            Examples:
              adtop cache cert init
              adtop cache cert show
              adtop cache cert remove
            """,
        subcommands: [Initialize.self, Show.self, Renew.self, Remove.self])

    struct Initialize: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Make the certificates, or renew the leaf where it ends within ten days.",
            discussion: """
                Examples:
                  adtop cache cert init --forget-ca-key

                Exit codes: 0 fine, 4 an unusable folder.
                """)

        @OptionGroup var certificates: CertificateFolderOptions

        @Flag(
            name: .customLong("forget-ca-key"),
            help: "Delete the authority's key after signing; the next leaf then needs a new authority.")
        var forgetsKey = false

        func run() throws {
            let folder = try certificates.certificates()
            let change = try CertificateFolderOptions.wrap { () throws(CreativeServerError) in
                try folder.ensure(forgettingAuthorityKey: forgetsKey)
            }
            let sentence =
                switch change {
                case .kept: "the certificates are good"
                case .renewed: "the leaf is renewed; the authority is the same"
                case .made: "a new authority is made: trust it once"
                case .madeForThisMachine:
                    "what was there is from another computer; a new authority is made: trust it once"
                }
            Output.line(sentence)
            try CertificateFolderOptions.lines(of: folder).forEach { Output.line($0) }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the authority, its fingerprint, and how to trust it.",
            discussion: """
                Examples:
                  adtop cache cert show
                  curl --cacert "$(adtop cache cert show --path)" https://localhost:16257/status

                Exit codes: 0 fine, 4 there are none.
                """)

        @OptionGroup var certificates: CertificateFolderOptions

        @Flag(help: "Print the path of the authority only.")
        var path = false

        @Flag(help: "Print JSON (schema adtop-cache-cert/1).")
        var json = false

        func run() throws {
            let folder = try certificates.certificates()
            let status = try CertificateFolderOptions.status(of: folder)
            if path { return _ = Output.line(status.authorityFile) }
            guard json else { return try CertificateFolderOptions.lines(of: folder).forEach { Output.line($0) } }
            let value: JSONValue = [
                "schema": "adtop-cache-cert/1", "authority": .string(status.authorityFile),
                "sha256": .string(status.fingerprint), "authorityEndMs": .integer(status.authorityEnd.milliseconds),
                "leafEndMs": .integer(status.leafEnd.milliseconds), "hasAuthorityKey": .bool(status.hasAuthorityKey),
            ]
            Output.write(value.text(indented: true) + "\n")
        }
    }

    struct Renew: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "renew", abstract: "Make a new leaf from the authority that is there.",
            discussion: """
                Examples:
                  adtop cache cert renew

                Exit codes: 0 fine, 4 there are none, or the authority's key was forgotten.
                """)

        @OptionGroup var certificates: CertificateFolderOptions

        func run() throws {
            let folder = try certificates.certificates()
            try CertificateFolderOptions.wrap { () throws(CreativeServerError) in try folder.renew() }
            try CertificateFolderOptions.lines(of: folder).forEach { Output.line($0) }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Delete certificates and keys.",
            discussion: """
                Where the authority is trusted, take it out there, too.

                Examples:
                  adtop cache cert remove

                Exit codes: 0 fine, 4 an unusable folder.
                """)

        @OptionGroup var certificates: CertificateFolderOptions

        func run() throws {
            let count = try certificates.certificates().remove()
            Output.line("\(count) files removed; take the authority out of where you trusted it")
        }
    }
}

/// The folder of the certificates.
struct CertificateFolderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder of the certificates; default $XDG_DATA_HOME/adtop/tls.", valueName: "folder"))
    var tlsFolder: String?

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
                .usage, "neither XDG_DATA_HOME nor HOME names a folder for certificates; set one, or use --tls-folder")
        }
        return try wrap { () throws(CreativeServerError) in
            try LocalCertificates(folder: path, wallClock: { SystemTimeSource().now().wall })
        }
    }

    /// Makes what is missing; nil is the default folder.
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

    /// For people: where, until when, and what to do with it.
    static func lines(of certificates: LocalCertificates) throws(CommandFailure) -> [String] {
        let status = try status(of: certificates)
        let now = SystemTimeSource().now().wall
        func days(_ end: UnixTime) -> Int64 { (end - now).inMilliseconds / 86_400_000 }
        return [
            "authority  \(status.authorityFile)", "sha-256    \(status.fingerprint)",
            "ends       \(status.authorityEnd.iso8601), in \(days(status.authorityEnd)) days",
            "leaf       \(status.leafEnd.iso8601), in \(days(status.leafEnd)) days",
            "key        \(status.hasAuthorityKey ? "kept, for the owner only" : "forgotten")",
            "curl       curl --cacert \(status.authorityFile) https://localhost:16257/status",
            "Debian     sudo cp \(status.authorityFile) /usr/local/share/ca-certificates/adtop.crt && sudo update-ca-certificates",
            "Chromium   certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n adtop -i \(status.authorityFile)",
            "Firefox    Settings, Certificates, Authorities, Import",
        ]
    }
}
