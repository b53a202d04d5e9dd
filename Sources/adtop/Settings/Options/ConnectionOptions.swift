import ArgumentParser
import Foundation
import Live
import Ports

/// The flags of the connection that some verbs have not, because these names have another meaning there.
struct ConnectionOptions: ParsableArguments {
    @Option(help: .of(.certificateKey, "file"), completion: .files("pem", "key"))
    var key: String?

    @Option(help: .of(.timeout, "duration"))
    var timeout: String?

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.certificateKey] = key
        settings[.timeout] = timeout
        return settings
    }
}

/// The flags of the connection that every verb has that sends requests.
struct WayOptions: ParsableArguments {
    @Option(help: .of(.proxy, "url"))
    var proxy: String?

    @Option(help: .of(.noProxy, "list"))
    var noProxy: String?

    @Option(
        help: ArgumentHelp("Use these addresses for a host and port (repeatable).", valueName: "host:port:address"))
    var resolve: [String] = []

    @Option(
        help: ArgumentHelp(
            "Connect to another host and port (repeatable); empty parts are any, or unchanged.",
            valueName: "host:port:host:port"))
    var connectTo: [String] = []

    @Flag(name: [.customShort("4"), .customLong("ipv4")], help: "Use IPv4 addresses only.")
    var isIPv4 = false

    @Flag(name: [.customShort("6"), .customLong("ipv6")], help: "Use IPv6 addresses only.")
    var isIPv6 = false

    @Option(help: .of(.interface, "name|address"))
    var interface: String?

    @Option(
        name: .customLong("cacert"), help: .of(.trustedCertificates, "file"), completion: .files("pem", "crt", "cer"))
    var trustedCertificates: String?

    @Option(name: .customLong("cert"), help: .of(.certificate, "file"), completion: .files("pem", "crt", "cer"))
    var certificate: String?

    @Option(name: .customLong("key-passphrase-env"), help: .of(.keyPassphrase, "name"))
    var keyPassphrase: String?

    @Flag(help: "Accept any certificate of a server; no beacon then goes to a public host.")
    var insecure = false

    @Option(name: .customLong("max-rate"), help: .of(.maximumRate, "n/s"))
    var maximumRate: String?

    mutating func validate() throws {
        if isIPv4, isIPv6 { throw ValidationError("-4 and -6 exclude each other; give one") }
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.proxy] = proxy
        settings[.noProxy] = noProxy
        settings.give(.resolve, resolve)
        settings.give(.connectTo, connectTo)
        settings[.ipVersion] = isIPv4 ? "4" : isIPv6 ? "6" : nil
        settings[.interface] = interface
        settings[.trustedCertificates] = trustedCertificates
        settings[.certificate] = certificate
        settings[.keyPassphrase] = keyPassphrase
        settings[.insecure] = insecure ? "yes" : nil
        settings[.maximumRate] = maximumRate
        return settings
    }

    /// The settings of the connection from the flags, the environment and the config file.
    static func connection(_ flags: [Setting: String]) throws(CommandFailure) -> ConnectionSettings {
        try Settings.connection(try SettingsLoader().texts(flags: flags).texts)
    }
}
