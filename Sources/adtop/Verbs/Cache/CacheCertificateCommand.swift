import ArgumentParser
import CreativeServer
import Ports

/// `adtop cache cert`
struct CacheCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cert", abstract: "Manage the local certificates of the cache server.",
        discussion: """
            The certificate authority can only sign for localhost, 127.0.0.1 and ::1, so a stolen key is useless \
            elsewhere. adtop never installs the authority: you decide to trust it.

            Examples:
              adtop cache cert init
              adtop cache cert show
              adtop cache cert remove
            """,
        subcommands: [Initialize.self, Show.self, Renew.self, Remove.self])

    struct Initialize: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Create the certificates, or renew a leaf that expires within ten days.",
            discussion: """
                Examples:
                  adtop cache cert init --forget-ca-key

                Exit codes: 0 success, 2 usage error, 4 unusable folder.
                """)

        @OptionGroup var certificates: CertificateFolderOptions

        @Flag(
            name: .customLong("forget-ca-key"),
            help: "Delete the authority's key after signing; the next leaf will need a new authority.")
        var forgetsKey = false

        func run() throws {
            let folder = try certificates.certificates()
            let change = try CertificateFolderOptions.wrap { () throws(CreativeServerError) in
                try folder.ensure(forgettingAuthorityKey: forgetsKey)
            }
            let sentence =
                switch change {
                case .kept: "certificates are valid"
                case .renewed: "leaf renewed; the authority is unchanged"
                case .made: "new authority created; trust it once"
                case .madeForThisMachine:
                    "the certificates were from another computer; new authority created: trust it once"
                }
            Output.line(sentence)
            try CertificateFolderOptions.lines(of: folder).forEach { Output.line($0) }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the authority, its fingerprint and how to trust it.",
            discussion: """
                Examples:
                  adtop cache cert show
                  curl --cacert "$(adtop cache cert show --path)" https://localhost:16257/ID

                Exit codes: 0 success, 2 usage error, 4 no certificates.
                """)

        @OptionGroup var certificates: CertificateFolderOptions

        @Flag(help: "Print only the path of the authority's certificate.")
        var path = false

        @Flag(help: "Print JSON (schema adtop-cache-cert/1).")
        var json = false

        mutating func validate() throws {
            if path, json { throw ValidationError("--path and --json exclude each other; give one") }
        }

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
            commandName: "renew", abstract: "Create a new leaf certificate with the existing authority.",
            discussion: """
                Examples:
                  adtop cache cert renew

                Exit codes: 0 success, 2 usage error, 4 no certificates, or the authority's key was deleted.
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
            commandName: "remove", abstract: "Delete the certificates and keys.",
            discussion: """
                If you trusted the authority, remove it from the trust store as well.

                Examples:
                  adtop cache cert remove

                Exit codes: 0 success, 2 usage error, 4 unusable folder.
                """)

        @OptionGroup var certificates: CertificateFolderOptions

        func run() throws {
            let count = try certificates.certificates().remove()
            Output.line(
                "\(count.counted("file")) removed; remove a trusted authority from the trust store too"
            )
        }
    }
}
