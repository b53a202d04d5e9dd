import AdFormats
import Dashboard
import HLS
import Ports
import VAST

/// Reads the text of a setting: what values it may have, and what is wrong with others.
struct SettingType<Value>: Sendable {
    let read: @Sendable (String) throws(SettingProblem) -> Value
    /// The words among its values, for completion in a shell.
    var words: [String] = []
}

extension SettingType {
    /// A value, or the word that leaves it to the program.
    func or(_ none: String) -> SettingType<Value?> {
        SettingType<Value?>(
            read: { text throws(SettingProblem) in text == none ? nil : try read(text) },
            words: words.contains(none) ? words : words + [none])
    }

    /// The same, for a setting that may be absent.
    var optional: SettingType<Value?> {
        SettingType<Value?>(read: { text throws(SettingProblem) in try read(text) }, words: words)
    }
}

extension SettingType where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the names of a type, or of `others` that mean no value of it.
    static func name(also others: [String] = []) -> Self {
        let values = Dictionary(Value.allCases.map { ($0.rawValue, $0) }) { first, _ in first }
        let names = Value.allCases.map(\.rawValue) + others
        return Self(
            read: { text throws(SettingProblem) in
                guard let value = values[text] else {
                    throw SettingProblem("is not one of \(names.joined(separator: ", "))")
                }
                return value
            }, words: names)
    }
}

extension SettingType<Bool> {
    static let flag = Self(read: Settings.flag, words: ["yes", "no"])
}

extension SettingType<String> {
    /// A name or a path: the empty one of a script's unset variable is none.
    static let nonempty = Self { text throws(SettingProblem) in
        guard !text.isEmpty else { throw SettingProblem("is empty; name one, or omit it") }
        return text
    }
    static let fieldValue = Self(read: Settings.fieldValue)

    /// The name or path of a program that `env` starts: one with `=` would be a variable, one with a dash an option.
    static let program = Self { text throws(SettingProblem) in
        guard !text.contains("="), !text.hasPrefix("-") else { throw SettingProblem("is not the name of a program") }
        return try nonempty.read(text)
    }

    /// A tag contains macros, so it is not a URL yet; with its macros encoded it must be one.
    static let tag = Self { text throws(SettingProblem) in
        do throws(WebURLProblem) {
            _ = try WebURL(PercentEncoding.requestTarget(text))
        } catch {
            throw SettingProblem(error.explanation)
        }
        return text
    }

    /// A tag or the path of a file.
    static let tagOrFile = Self { text throws(SettingProblem) in
        InputFile.isAddress(text) || InputFile.otherScheme(of: text) != nil
            ? try tag.read(text) : try nonempty.read(text)
    }
}

extension SettingType<VariantWish> {
    static let variant = Self(
        read: { text throws(SettingProblem) in
            guard let wish = VariantWish(text) else { throw SettingProblem("is not \(VariantWish.forms)") }
            return wish
        }, words: ["best", "worst"])
}

extension SettingType<[String]> {
    static let list = Self(read: Settings.list)

    /// Names of hosts; a URL, a port or a wildcard in their place would match none, and no name would be no limit.
    static let hosts = Self { text throws(SettingProblem) in
        let names = Settings.list(text)
        guard !names.isEmpty else { throw SettingProblem("is empty; name a host, or omit it") }
        return try names.map { name throws(SettingProblem) in
            guard let pattern = HostPattern(name), pattern.port == nil else {
                throw SettingProblem(
                    "is not a list of host names such as t.example.com, which include their subdomains")
            }
            return pattern.host
        }
    }
}

extension SettingType<[String: String]> {
    /// One NAME=VALUE on each line.
    static let pairs = Self { text throws(SettingProblem) in
        var pairs: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "="), equals > line.startIndex else {
                throw SettingProblem("is not NAME=VALUE")
            }
            pairs[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        return pairs
    }
}

extension SettingType<[AdConfig.Parameter]> {
    static let adParameters = Self { text throws(SettingProblem) in
        var probe = RequestParameters(version: "")
        var parameters: [AdConfig.Parameter] = []
        for (key, value) in try SettingType<[String: String]>.pairs.read(text).sorted(by: { $0.key < $1.key }) {
            do throws(RequestParameters.Problem) {
                try probe.set(key, to: value)
            } catch {
                throw SettingProblem("is not a valid ad parameter: \(error.explanation)")
            }
            parameters.append(AdConfig.Parameter(key, value))
        }
        return parameters
    }
}

extension SettingType<Duration> {
    static func duration(_ range: ClosedRange<Duration>) -> Self {
        Self { text throws(SettingProblem) in try Settings.duration(text, in: range) }
    }
}

extension SettingType<Double> {
    static let rate = Self { text throws(SettingProblem) in
        guard let rate = Double(text), rate >= 0.1, rate <= 16 else {
            throw SettingProblem("is not a rate between 0.1 and 16")
        }
        return rate
    }
}

extension SettingType<Int> {
    static let port = Self(read: Settings.port)
    /// In MiB; the value is in bytes.
    static let mebibytes = Self { text throws(SettingProblem) in Int(try Settings.mebibytes(text)) }
}

extension SettingType<Int64> {
    /// In MiB; the value is in bytes.
    static let mebibytes = Self(read: Settings.mebibytes)
}

extension SettingType<UInt64> {
    static let seed = Self { text throws(SettingProblem) in
        guard let seed = UInt64(text) else { throw SettingProblem("is not a whole number from 0 to \(UInt64.max)") }
        return seed
    }
}

extension SettingType<StoragePlace> {
    /// Yes, no, or the path of a `noun`.
    static func place(_ noun: String) -> Self {
        Self { text throws(SettingProblem) in
            guard !text.isEmpty else { throw SettingProblem("is neither yes nor no, nor a \(noun)") }
            guard let isKept = try? Settings.flag(text) else { return .at(text) }
            return isKept ? .standard : .off
        }
    }
}

/// Where something is kept across runs.
enum StoragePlace: Hashable, Sendable {
    case off
    /// In the XDG folder of its kind.
    case standard
    case at(String)

    /// The path that the user gave.
    var path: String? { if case .at(let path) = self { path } else { nil } }
}
