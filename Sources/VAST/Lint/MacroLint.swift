extension Linter {
    mutating func checkMacros(
        _ url: String, _ traits: URLTraits, _ node: XMLTree.Index, _ name: ElementName, _ use: URLUse
    ) {
        let context: MacroName.Contexts =
            switch tree.value(.event, of: node) {
            case EventName.verificationNotExecuted.rawValue: .verification
            // Of a VMAP break; no creative has such an event.
            case "error": .error
            default: use.context
            }
        let tokens = traits.mayHaveMacro ? Self.tokens(in: url) : []
        for token in tokens { checkMacro(token, context, node) }
        if traits.hasOtherDialect {
            report(.macroOtherDialect, "A macro of another dialect is left in the URL.", at: node)
        }
        let names = Set(tokens.map(\.name))
        if name == .error, !names.contains(MacroName.errorCode.rawValue) {
            report(.errorWithoutErrorcode, "The error URL does not ask for the code with [ERRORCODE].", at: node)
        }
        if name == .impression,
            names.isDisjoint(with: [MacroName.cacheBusting.rawValue, MacroName.timestamp.rawValue])
        {
            report(.cachebusterMissing, "The impression has no [CACHEBUSTING]; a cache may swallow it.", at: node)
        }
    }

    private mutating func checkMacro(_ token: MacroToken, _ context: MacroName.Contexts, _ node: XMLTree.Index) {
        guard token.text.hasPrefix("[") else {
            if token.text.hasPrefix("%5"), MacroName(rawValue: token.name) != nil {
                report(.macroEncodedBrackets, "The brackets of \(token.text) are encoded.", at: node)
            }
            return
        }
        guard let macro = MacroName(rawValue: token.name) else {
            if MacroName(rawValue: token.name.uppercased()) != nil {
                report(.macroCase, "\(token.text) is written in upper case.", at: node)
            } else {
                report(.macroUnknown, "\(token.text) is in no list.", at: node)
            }
            return
        }
        if macro.isDeprecated {
            report(.macroDeprecated, "\(token.text) is deprecated since VAST 4.1; use [MEDIAPLAYHEAD].", at: node)
        }
        if macro.contexts.isDisjoint(with: context) {
            report(.macroWrongContext, "\(token.text) means nothing in this URL.", at: node)
        }
    }

    private static func tokens(in url: String) -> [MacroToken] {
        let bytes = Array(url.utf8)
        var tokens: [MacroToken] = []
        var index = 0
        while index < bytes.count {
            if let token = MacroToken(bytes, at: index, isStrict: false) {
                tokens.append(token)
                index += token.length
            } else {
                index += 1
            }
        }
        return tokens
    }
}
