/// The options of a group that several verbs have, such as those of the connection. The manual page describes each once; the
/// verbs name them.
struct SharedOptions {
    /// The group of each option: the one that most verbs have it in.
    private var titles: [String: String] = [:]
    /// The groups in the order of the help, each with its options.
    private var sections: [(title: String, options: [ManualOption])] = []

    init(_ commands: [ManualCommand]) {
        let options = commands.flatMap(\.options).filter { $0.section != nil && !$0.names.isEmpty }
        let uses = Dictionary(grouping: options, by: \.identity)
        for option in options where titles[option.identity] == nil {
            guard let same = uses[option.identity], same.count > 1 else { continue }
            let counts = Dictionary(grouping: same.compactMap(\.section)) { $0 }.mapValues(\.count)
            let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
            guard let title = most?.key else { continue }
            titles[option.identity] = title
            if let place = sections.firstIndex(where: { $0.title == title }) {
                sections[place].options.append(option)
            } else {
                sections.append((title, [option]))
            }
        }
    }

    func contains(_ option: ManualOption) -> Bool { titles[option.identity] != nil && option.section != nil }

    /// The names of the shared options of a verb, by group.
    func groups(of command: ManualCommand) -> [(title: String, names: [String])] {
        let own = command.options.filter(contains)
        return sections.map { section in
            (section.title, own.filter { titles[$0.identity] == section.title }.map(\.names))
        }.filter { !$0.names.isEmpty }
    }

    /// The descriptions.
    var lines: [String] {
        [".SH OPTIONS OF SEVERAL VERBS"]
            + sections.flatMap { section in
                [RoffText.request("SS", "\(section.title) options")]
                    + section.options.flatMap { RoffText.entry($0.subject, $0.text) }
            }
    }
}
