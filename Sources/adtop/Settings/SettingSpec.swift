import ArgumentParser
import Ports

/// Everything about a setting, written once: `Settings`, the help of its flag, `adtop config` and docs/settings.md come
/// from it.
struct SettingSpec: Sendable {
    /// Whether a line of a session list may give the setting to one session.
    enum Scope: Sendable {
        case program, session
    }

    /// The members of a setting that is a list: several values of a flag, members in the config file, and values that a
    /// line of a session list repeats. The text of the setting has them between separators.
    struct Members: Sendable {
        let separator: String
        /// What one member is, for errors.
        let noun: String

        static func commas(_ noun: String) -> Self { Self(separator: ",", noun: noun) }
        static func lines(_ noun: String) -> Self { Self(separator: "\n", noun: noun) }
    }

    let setting: Setting
    /// Nil when the setting is not set by default.
    let defaultText: String?
    /// One clause, without the default.
    let explanation: String
    let scope: Scope
    /// Nil for a setting with one value.
    let list: Members?
    /// The words among its values, for completion in a shell.
    let words: [String]
    /// Reads a text into the settings.
    let apply: @Sendable (inout Settings, String) throws(SettingProblem) -> Void

    init(
        _ setting: Setting, _ explanation: String, default defaultText: String? = nil, scope: Scope = .program,
        list: Members? = nil, words: [String] = [],
        apply: @escaping @Sendable (inout Settings, String) throws(SettingProblem) -> Void
    ) {
        self.setting = setting
        self.defaultText = defaultText
        self.explanation = explanation
        self.scope = scope
        self.list = list
        self.words = words
        self.apply = apply
    }

    init<Value>(
        _ setting: Setting, _ explanation: String, default defaultText: String? = nil, scope: Scope = .program,
        list: Members? = nil,
        _ place: any WritableKeyPath<Settings, Value> & Sendable, _ type: SettingType<Value>
    ) {
        self.init(setting, explanation, default: defaultText, scope: scope, list: list, words: type.words) {
            settings, text throws(SettingProblem) in
            settings[keyPath: place] = try type.read(text)
        }
    }

    /// A setting without a default.
    init<Value>(
        _ setting: Setting, _ explanation: String, default defaultText: String? = nil, scope: Scope = .program,
        list: Members? = nil,
        _ place: any WritableKeyPath<Settings, Value?> & Sendable, optional type: SettingType<Value>
    ) {
        self.init(setting, explanation, default: defaultText, scope: scope, list: list, place, type.optional)
    }
}

extension Setting {
    private static let specs: [Setting: SettingSpec] = {
        let sections = SettingSection.all.flatMap { $0.settings }
        return Dictionary(sections.map { ($0.setting, $0) }) { first, _ in first }
    }()

    /// What is known of it. A test makes sure that every setting is in a section.
    var spec: SettingSpec {
        Self.specs[self] ?? SettingSpec(self, "is not documented") { _, _ throws(SettingProblem) in }
    }

    /// The default text; nil when the setting is not set by default.
    var defaultText: String? { spec.defaultText }
    /// One line for `adtop config` and its documentation.
    var explanation: String { spec.explanation }
}

extension ArgumentHelp {
    /// The help of the flag that gives a setting.
    static func of(_ setting: Setting, _ valueName: String? = nil) -> ArgumentHelp {
        let text = setting.explanation
        let note = text.contains("(default ") ? nil : setting.defaultText.map { " (default \($0))" }
        return ArgumentHelp(text.prefix(1).uppercased() + text.dropFirst() + (note ?? "") + ".", valueName: valueName)
    }
}

extension CompletionKind {
    /// The words that a setting takes, or one of `more`.
    static func of(_ setting: Setting, or more: [String] = []) -> CompletionKind { .list(setting.spec.words + more) }
}
