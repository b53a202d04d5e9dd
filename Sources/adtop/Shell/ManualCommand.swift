import Ports

/// A command in the parser's description of itself.
struct ManualCommand {
    /// `adtop hls parse`
    let path: String
    let abstract: String
    /// Paragraphs, with examples as indented lines.
    let discussion: String
    /// What is shown in its help, without the options that every command has.
    let options: [ManualOption]
    /// The commands below it, without `help`.
    let subcommands: [ManualCommand]

    /// The options that every command has. The page describes them once.
    static let common: Set<String> = ["--version", "-h, --help"]

    init(_ description: JSONValue, below owner: String = "") {
        let path = owner + (description["commandName"]?.stringValue ?? "")
        self.path = path
        abstract = description["abstract"]?.stringValue ?? ""
        discussion = description["discussion"]?.stringValue ?? ""
        options = (description["arguments"]?.arrayValue ?? []).filter { $0["shouldDisplay"]?.boolValue != false }
            .map { ManualOption($0) }.filter { !Self.common.contains($0.subject) }
        subcommands = (description["subcommands"]?.arrayValue ?? []).filter {
            $0["shouldDisplay"]?.boolValue != false && $0["commandName"]?.stringValue != "help"
        }.map { Self($0, below: path + " ") }
    }

    /// The command and all below it, in the order of the help.
    var all: [Self] { [self] + subcommands.flatMap(\.all) }
}

/// An option, a flag or a positional argument of a command.
struct ManualOption: Hashable {
    /// `--poll <duration>`
    let subject: String
    /// `--poll`; empty for a positional argument.
    let names: String
    /// With its default and its words, as the help has them.
    let text: String
    /// The group of options in the help.
    let section: String?

    init(_ description: JSONValue) {
        names = (description["names"]?.arrayValue ?? []).map { name in
            (name["kind"]?.stringValue == "long" ? "--" : "-") + (name["name"]?.stringValue ?? "")
        }.joined(separator: ", ")
        let value = description["kind"]?.stringValue == "flag" ? nil : description["valueName"]?.stringValue
        let more = names.isEmpty && description["isRepeating"]?.boolValue == true ? " ..." : ""
        subject = [names, value.map { "<\($0)>\(more)" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        let abstract = description["abstract"]?.stringValue ?? ""
        text = Self.text(abstract, description)
        section = description["sectionTitle"]?.stringValue
    }

    /// The words and the default, unless the sentence has them.
    private static func text(_ abstract: String, _ description: JSONValue) -> String {
        let words = (description["allValues"]?.arrayValue ?? []).compactMap(\.stringValue)
        var notes: [String] = []
        if !words.allSatisfy(abstract.contains) { notes.append("values: \(words.joined(separator: ", "))") }
        if let value = description["defaultValue"]?.stringValue, !abstract.contains("default") {
            notes.append("default: \(value)")
        }
        return abstract + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    /// The same option in another command, in whatever group it is there.
    var identity: String { subject + "\n" + text }
}
