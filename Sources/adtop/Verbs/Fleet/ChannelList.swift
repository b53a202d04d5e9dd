import Fleet
import Ports

/// The channels that `adtop fleet add` is given: files of lines, and URLs. Every line is checked before anything is added.
struct ChannelList {
    private(set) var channels: [FleetChannel] = []
    /// Where each name is from.
    private var places: [String: String] = [:]

    /// Reads the files in their order, then the URLs. Throws one line with file, line and the problem.
    init(_ arguments: [String], read: (String) throws(CommandFailure) -> [UInt8]) throws(CommandFailure) {
        var urls: [WebURL] = []
        for argument in arguments {
            if argument.contains("://") {
                urls.append(try Self.url(argument))
            } else {
                let text = String(decoding: try read(argument), as: UTF8.self)
                try add(SessionList(text, path: argument, of: .channels), from: argument)
            }
        }
        // Together, so that two that would have one name are two channels.
        if !urls.isEmpty { try add(SessionList(urls, of: .channels), from: "command line") }
    }

    private static func url(_ text: String) throws(CommandFailure) -> WebURL {
        do throws(WebURLProblem) {
            return try WebURL(text)
        } catch {
            throw CommandFailure(
                .usage, "'\(Redaction.url(text))' \(error.explanation); give a file or the URL of a stream")
        }
    }

    private mutating func add(_ list: SessionList, from place: String) throws(CommandFailure) {
        for entry in list.entries {
            if let other = places.updateValue(place, forKey: entry.name), other != place {
                throw list.failure(entry.line, "the name '\(entry.name)' is used in \(other), too")
            }
            channels.append(try Self.channel(entry, of: list))
        }
    }

    private static func channel(_ entry: SessionList.Entry, of list: SessionList) throws(CommandFailure) -> FleetChannel
    {
        // As an agent reads them, whose own settings, and variables, are not known here.
        var variables: [String: String] = [:]
        if let name = entry.options[.bearerEnv] {
            guard isVariable(name) else {
                throw list.failure(entry.line, "bearer-env: '\(name)' is no name of an environment variable")
            }
            variables[name] = "token"
        }
        do throws(CommandFailure) {
            _ = try Settings(SettingTexts(flags: entry.options, environment: variables, file: nil))
        } catch {
            throw list.failure(entry.line, error.message)
        }
        var channel = FleetChannel(name: entry.name, url: entry.url.text)
        for (setting, text) in entry.options { channel.options[setting.rawValue] = text }
        channel.labels = words(entry.own["labels"])
        if let regions = entry.own["regions"] {
            channel.regions = words(regions)
            guard !channel.regions.isEmpty else {
                throw list.failure(entry.line, "regions: empty; name one or several with commas, or leave it out")
            }
        }
        if let viewers = entry.own["viewers"] {
            guard let number = Int(viewers), (0...FleetChannel.mostViewers).contains(number) else {
                throw list.failure(
                    entry.line, "viewers: '\(viewers)' is not a number from 0 to \(FleetChannel.mostViewers)")
            }
            channel.viewers = number
        }
        return channel
    }

    /// Letters, digits and underscores, the first no digit (POSIX, Base Definitions, section 8.1).
    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first, !isDigit(first) else { return false }
        return name.utf8.allSatisfy { byte in
            isDigit(byte) || byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The words between commas, each once.
    private static func words(_ text: String?) -> [String] {
        var words: [String] = []
        for word in (text ?? "").split(separator: ",") where !words.contains(String(word)) {
            words.append(String(word))
        }
        return words
    }
}
