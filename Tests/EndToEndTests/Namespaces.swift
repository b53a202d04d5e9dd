import TestSupport

/// File systems and networks of a program's own (Linux).
enum Namespaces {
    private static let unshare = "/usr/bin/unshare"

    /// Whether this user may mount a file system in a namespace; not everywhere.
    static let areThere = allows(["-Urm", "sh", "-c", "mount -t tmpfs none /mnt"])
    /// Whether this user may have a network without any interface that is up.
    static let partNetworks = allows(["-Urn", "true"])

    /// A command that starts a program which finds a tmpfs with these options in `folder`. `script` runs before it, with
    /// the folder as `$1`.
    static func mounting(_ options: String, at folder: TemporaryFolder, _ script: String = "true") -> [String] {
        let mount = "mount -t tmpfs \(options) tmpfs \"$1\" && \(script) && shift && exec \"$@\""
        return [unshare, "-Urm", "sh", "-c", mount, "sh", folder.path]
    }

    private static func allows(_ arguments: [String]) -> Bool { ShortCommand.succeeds([unshare] + arguments) }
}
