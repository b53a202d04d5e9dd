import Ports
import Session

/// The file of `adtop monitor` (docs/monitor.md) and `adtop fleet add` (docs/fleet.md): one session, or one channel, on each line,
/// `[NAME] URL [option=value …]`.
struct SessionList: Equatable, Sendable {
    /// What a line is.
    enum Kind: Equatable, Sendable {
        /// One or more sessions of this process.
        case sessions
        /// A channel of a fleet.
        case channels

        /// Most lines, or sessions.
        var most: Int { self == .sessions ? SessionList.maximumSessions : 100_000 }

        /// Options that are no settings.
        var options: [String] { self == .sessions ? ["count"] : ["labels", "regions", "viewers"] }
    }

    /// Most sessions of one process.
    static let maximumSessions = 5_000
    /// Most characters of a name, as scalars.
    static let longestName = 200
    /// Largest file in bytes.
    static let maximumBytes = 1 << 20
    /// Largest file of channels in bytes.
    static let maximumChannelBytes = 32 << 20

    struct Entry: Equatable, Sendable {
        /// Unique in the list.
        var name: String
        var url: WebURL
        /// The options of its line, which override flags, environment and config file.
        var options: [Setting: String]
        /// What a channel has beside settings, by option.
        var own: [String: String] = [:]
        /// Line number, from 1.
        var line: Int
    }

    private(set) var entries: [Entry] = []
    private let place: String
    private let kind: Kind
    /// The line of each given name.
    private var named: [String: Int] = [:]

    /// Reads the text of the file at `path`. Throws one line with file, line and the problem.
    init(_ text: String, path: String, of kind: Kind = .sessions) throws(CommandFailure) {
        self.kind = kind
        place = path == "-" ? "standard input" : path
        var number = 0
        // Some editors begin a file with a byte order mark.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let found = try words(of: line, line: number)
            if !found.isEmpty { try add(found, line: number) }
        }
        guard !entries.isEmpty else {
            let noun = kind == .sessions ? "sessions" : "channels"
            throw CommandFailure(.unreadable, "\(place): no \(noun); write one URL on each line")
        }
        makeNamesUnique()
    }

    /// One session or channel for each URL of the command line.
    init(_ urls: [WebURL], of kind: Kind = .sessions) {
        self.kind = kind
        place = "command line"
        entries = urls.enumerated().map { index, url in
            Entry(name: SessionView.name(of: url), url: url, options: [:], line: index + 1)
        }
        makeNamesUnique()
    }

    /// The error for a line.
    func failure(_ line: Int, _ message: String) -> CommandFailure {
        CommandFailure(.unreadable, "\(place):\(line): \(message)")
    }

    /// `list.txt:3`, for an error of the options of its line; nil where it has none.
    func place(of entry: Entry) -> String? { entry.options.isEmpty ? nil : "\(place):\(entry.line)" }

    /// The words between blanks; `"…"` is one word, `\"` a quotation mark, and `#` at the start of a word begins a comment. Scalars are
    /// read, because a mark before a combining character is one, too.
    private func words(of line: Substring, line number: Int) throws(CommandFailure) -> [String] {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var isQuoted = false
        var rest = line.unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "\"" {
                isQuoted.toggle()
                word = word ?? String.UnicodeScalarView()
            } else if scalar.properties.isWhitespace, !isQuoted {
                if let word { words.append(String(word)) }
                word = nil
            } else if scalar == "#", word == nil {
                return words
            } else {
                let isEscape = scalar == "\\" && rest.first == "\""
                word = word ?? String.UnicodeScalarView()
                word?.append(isEscape ? rest.removeFirst() : scalar)
            }
        }
        guard !isQuoted else { throw failure(number, "unclosed quotation mark") }
        return words + (word.map { [String($0)] } ?? [])
    }

    private mutating func add(_ words: [String], line: Int) throws(CommandFailure) {
        guard !words[0].isEmpty else { throw failure(line, "the name is empty; write [NAME] URL [option=value …]") }
        let isNamed = !words[0].contains("://")
        guard let address = words.dropFirst(isNamed ? 1 : 0).first else {
            throw failure(line, "no URL after '\(words[0])'; write [NAME] URL [option=value …]")
        }
        let url: WebURL
        do throws(WebURLProblem) {
            url = try WebURL(address)
        } catch {
            throw failure(line, "'\(Redaction.url(address))' \(error.explanation); write [NAME] URL [option=value …]")
        }
        let (given, own) = try options(words.dropFirst(isNamed ? 2 : 1), line: line)
        let count = try count(own, line: line)
        if isNamed {
            try check(words[0], line: line)
            if let other = named[words[0]] { throw failure(line, "the name '\(words[0])' is used on line \(other)") }
            named[words[0]] = line
        }
        guard entries.count + count <= kind.most else {
            throw failure(
                line,
                kind == .sessions
                    ? "more than \(kind.most) sessions; run a second adtop for the rest"
                    : "more than \(kind.most) channels; add the rest from a second file")
        }
        let name = isNamed ? words[0] : SessionView.name(of: url)
        for number in 1...count {
            entries.append(
                Entry(
                    name: count == 1 ? name : Self.numbered(name, number, of: count), url: url, options: given,
                    own: own.filter { $0.key != "count" }, line: line))
        }
    }

    /// A name is shown, logged and, in a fleet, a key of the store.
    private func check(_ name: String, line: Int) throws(CommandFailure) {
        let scalars = name.unicodeScalars
        // Bytes that are no UTF-8 were replaced by U+FFFD.
        guard !scalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" }) else {
            throw failure(line, "the name '\(name)' has control characters, or is no UTF-8")
        }
        guard scalars.count <= Self.longestName else {
            throw failure(line, "the name has more than \(Self.longestName) characters")
        }
    }

    /// How many sessions a line is.
    private func count(_ own: [String: String], line: Int) throws(CommandFailure) -> Int {
        guard let value = own["count"] else { return 1 }
        guard let number = Int(value), (1...Self.maximumSessions).contains(number) else {
            throw failure(line, "count: '\(value)' is not a number from 1 to \(Self.maximumSessions)")
        }
        return number
    }

    private func options(
        _ words: ArraySlice<String>, line: Int
    ) throws(CommandFailure) -> (options: [Setting: String], own: [String: String]) {
        var (options, own): ([Setting: String], [String: String]) = ([:], [:])
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw failure(line, "'\(word)' is not option=value")
            }
            let (name, value) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
            guard !kind.options.contains(name) else {
                guard own[name] == nil else { throw failure(line, "'\(name)' is given twice") }
                own[name] = value
                continue
            }
            guard let setting = Setting(rawValue: name) else {
                let known = (kind.options + Self.optionNames).joined(separator: ", ")
                throw failure(line, "unknown option '\(name)'; known options: \(known)")
            }
            guard let separator = setting.sessionSeparator else {
                throw failure(line, "'\(name)' applies to all sessions; give it as --\(name)")
            }
            guard options[setting] == nil || !separator.isEmpty else { throw failure(line, "'\(name)' is given twice") }
            options[setting] = options[setting].flatMap { $0.isEmpty ? nil : $0 + separator + value } ?? value
        }
        return (options, own)
    }

    private static let optionNames = Setting.allCases.filter { $0.sessionSeparator != nil }.map(\.rawValue)

    /// `ch7-03`: every number has as many digits as the last one, so that names sort like numbers.
    private static func numbered(_ name: String, _ number: Int, of count: Int) -> String {
        let (digits, all) = (String(number), String(count).count)
        return "\(name)-\(String(repeating: "0", count: max(0, all - digits.count)))\(digits)"
    }

    /// Adds numbers to derived names that are in use; given names do not change.
    private mutating func makeNamesUnique() {
        var taken = Set(named.keys)
        for index in entries.indices where named[entries[index].name] != entries[index].line {
            let name = entries[index].name
            var number = 1
            while !taken.insert(entries[index].name).inserted {
                number += 1
                entries[index].name = "\(name)-\(number)"
            }
        }
    }
}

extension Setting {
    /// The separator between the values of an option that a line repeats; empty for one that it has once; nil for
    /// settings that a single session cannot have.
    fileprivate var sessionSeparator: String? {
        switch spec.scope {
        case .program: nil
        case .session: spec.list?.separator ?? ""
        }
    }
}
