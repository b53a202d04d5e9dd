extension Linter {
    mutating func checkMacros(
        _ url: String, _ traits: URLTraits, _ node: XMLTree.Index, _ name: ElementName, _ use: URLUse
    ) {
        // The error event of a VMAP break; creatives have no such event.
        let event = reader.event(of: node)
        let isBreakError = event == "error"
        let context: MacroName.Contexts =
            switch event {
            case EventName.verificationNotExecuted.rawValue: .verification
            case _ where isBreakError: .error
            default: use.context
            }
        let tokens = traits.mayHaveMacro ? Self.tokens(in: url) : []
        for token in tokens where !(isBreakError && token.text == "[\(MacroName.vmapErrorCode)]") {
            checkMacro(token, context, node)
        }
        if traits.hasOtherDialect {
            report(.macroOtherDialect, "The URL contains a macro of another dialect.", at: node)
        }
        if name == .error, !tokens.contains(where: { $0.name == MacroName.errorCode.rawValue }) {
            report(.errorWithoutErrorcode, "The error URL does not contain [ERRORCODE].", at: node)
        }
        if name == .impression, !tokens.contains(where: { Self.cacheBusters.contains($0.name) }) {
            report(.cachebusterMissing, "The impression URL has no [CACHEBUSTING]; a cache may answer it.", at: node)
        }
    }

    private mutating func checkMacro(_ token: MacroToken, _ context: MacroName.Contexts, _ node: XMLTree.Index) {
        guard token.text.hasPrefix("[") else {
            if token.text.hasPrefix("%5"), MacroName(rawValue: token.name) != nil {
                report(.macroEncodedBrackets, "The brackets of \(token.text) are percent-encoded.", at: node)
            }
            return
        }
        guard let macro = MacroName(rawValue: token.name) else {
            if MacroName(rawValue: token.name.uppercased()) != nil {
                report(.macroCase, "\(token.text) must be in upper case.", at: node)
            } else {
                report(.macroUnknown, "\(token.text) is not a known macro.", at: node)
            }
            return
        }
        // Before, there was no other macro for it.
        if macro.isDeprecated, version >= .v41 {
            report(.macroDeprecated, "\(token.text) is deprecated since VAST 4.1; use [MEDIAPLAYHEAD].", at: node)
        }
        if macro.contexts.isDisjoint(with: context) {
            report(.macroWrongContext, "\(token.text) has no meaning in this URL.", at: node)
        }
    }

    private static let cacheBusters = [MacroName.cacheBusting.rawValue, MacroName.timestamp.rawValue]

    private static func tokens(in url: String) -> [MacroToken] {
        let bytes = Array(url.utf8)
        var tokens: [MacroToken] = []
        var index = 0
        while let start = bytes[index...].firstIndex(where: MacroToken.begins(with:)) {
            let token = MacroToken(bytes, at: start, isStrict: false)
            if let token { tokens.append(token) }
            index = start + (token?.length ?? 1)
        }
        return tokens
    }
}
