import Foundation
import Ports
import ScriptedServers
import TestSupport

/// Random words, each in one place; the same in every run.
struct SecretWords {
    private var random = SplitMix64(seed: 16)
    private(set) var words: [String] = []

    mutating func make() -> String {
        let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        let word = String((0..<18).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
        words.append(word)
        return word
    }

    mutating func make(_ count: Int) -> [String] { (0..<count).map { _ in make() } }

    /// The forms in which a word may leave.
    static func forms(of words: [String]) -> [String] { words + words.map { Base64.encode(Array($0.utf8)) } }
}

/// Every place in which a person gives something secret, filled with words.
struct SecretPlaces {
    private(set) var secrets = SecretWords()
    let user, password, bearer, referer, proxyUser, proxyPassword, passphrase: String
    let headers, hostHeaders, cookies, jar, set: [String]

    init(count: Int = 40) {
        (user, password, bearer, referer) = (secrets.make(), secrets.make(), secrets.make(), secrets.make())
        (proxyUser, proxyPassword, passphrase) = (secrets.make(), secrets.make(), secrets.make())
        headers = secrets.make(count)
        hostHeaders = secrets.make(count)
        cookies = secrets.make(count)
        jar = secrets.make(count)
        set = secrets.make(count)
    }

    /// The forms in which each may leave.
    var forms: [String] {
        SecretWords.forms(of: secrets.words)
            + [(user, password), (proxyUser, proxyPassword)].map {
                Base64.encode(Array("\($0):\($1)".utf8))
            }
    }

    /// The settings with their values, for a stream at this port; the proxy and the client certificate are there.
    private func settings(port: Int, proxy: Int, _ certificates: CertificateFolder) -> [(
        name: String, values: [String]
    )] {
        [
            ("header", headers.enumerated().map { "X-H\($0): \($1)" }),
            ("header-for", hostHeaders.enumerated().map { "127.0.0.1:\(port) X-T\($0): \($1)" }),
            ("cookie", cookies.enumerated().map { "c\($0)=\($1)" }), ("bearer-env", ["TOKEN"]),
            ("referer", ["https://page.example/watch?token=\(referer)"]),
            ("proxy", ["http://\(proxyUser):\(proxyPassword)@127.0.0.1:\(proxy)"]),
            ("cert", [certificates.file("client.pem")]), ("key", [certificates.file("secret.key")]),
            ("key-passphrase-env", ["WORD"]),
        ]
    }

    func arguments(port: Int, proxy: Int, _ certificates: CertificateFolder) -> [String] {
        settings(port: port, proxy: proxy, certificates).flatMap { setting in
            setting.values.flatMap { value -> [String] in
                guard setting.name == "header-for" else { return ["--\(setting.name)", value] }
                return ["--header-for"] + value.split(separator: " ", maxSplits: 1).map(String.init)
            }
        }
    }

    func configuration(port: Int, proxy: Int, _ certificates: CertificateFolder) -> String {
        settings(port: port, proxy: proxy, certificates).map { setting in
            let values = setting.values.map { "\"\($0)\"" }
            let isList = ["header", "header-for", "cookie"].contains(setting.name)
            return "\(setting.name): \(isList ? "[\(values.joined(separator: ", "))]" : values[0])\n"
        }.joined()
    }

    /// As variables of the environment, those of the token and the passphrase included.
    func variables(port: Int, proxy: Int, _ certificates: CertificateFolder) -> [String: String] {
        let pairs = settings(port: port, proxy: proxy, certificates).map { setting in
            (
                "ADTOP_\(setting.name.uppercased().replacing("-", with: "_"))",
                // A variable has one line for each value.
                setting.values.joined(separator: "\n")
            )
        }
        return words.merging(Dictionary(uniqueKeysWithValues: pairs)) { $1 }
    }

    /// The variables of the token and the passphrase.
    var words: [String: String] { ["TOKEN": bearer, "WORD": passphrase] }

    var jarText: String {
        jar.enumerated().map { "127.0.0.1\tFALSE\t/\tFALSE\t0\tj\($0)\t\($1)\n" }.joined()
    }
}

extension Data {
    /// Whether the bytes of a text are in it. With the search of Foundation, hundreds of secrets take seconds in a recording.
    func holds(_ text: String) -> Bool {
        let sought = Array(text.utf8)
        return withUnsafeBytes { bytes in
            guard var place = bytes.baseAddress, let first = sought.first, sought.count <= bytes.count else {
                return false
            }
            // The last place at which it may begin.
            let last = place + (bytes.count - sought.count)
            while place <= last, let found = memchr(place, Int32(first), last - place + 1) {
                if memcmp(found, sought, sought.count) == 0 { return true }
                place = UnsafeRawPointer(found) + 1
            }
            return false
        }
    }
}
