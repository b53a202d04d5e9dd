import ArgumentParser
import Foundation
import Ports
import VAST

/// The options for the values of macros and how strictly macros are read.
struct MacroOptions: ParsableArguments {
    @Option(
        name: .customLong("macro"),
        help: ArgumentHelp(
            "Value of a standard or custom macro; commas separate list members (repeatable).",
            valueName: "name=value"))
    var macros: [String] = []

    @Flag(help: "Follow the standard only: no %%NAME%%, no encoded brackets, no repair of odd documents.")
    var strict = false

    /// The values for adtop itself, overridden by the user's values.
    func values(at time: UnixTime) throws(CommandFailure) -> MacroValues {
        var values = MacroValues()
        values[.timestamp] = .timestamp(time)
        values[.transactionID] = .text(UUID().uuidString.lowercased())
        values[.clientUA] = .text("adtop/\(Version.current)")
        values[.serverSide] = .number(0)
        // A required macro: 0 or 1, never unknown.
        values[.limitAdTracking] = .flag(true)
        values[.vastVersions] = .numbers(Self.versions)
        values.custom = try NameValue.pairs(macros, flag: "--macro")
        return values
    }

    /// AdCOM creative subtypes of VAST 2.0 to 4.1 and their wrappers; the published list ends there.
    private static let versions = [2, 3, 5, 6, 7, 8, 11, 12]
}
