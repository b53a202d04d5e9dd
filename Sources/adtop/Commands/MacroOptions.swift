import ArgumentParser
import Foundation
import Ports
import VAST

/// Values for macros, and how strictly they are read.
struct MacroOptions: ParsableArguments {
    @Option(
        name: .customLong("macro"),
        help: ArgumentHelp(
            "Value of a macro, of the standard's or any other (repeatable); lists with commas.",
            valueName: "name=value"))
    var macros: [String] = []

    @Flag(help: "Only what the standard says: no %%NAME%%, no encoded brackets, no repair of odd documents.")
    var strict = false

    /// What adtop says of itself, and the user's values over it.
    func values(at time: UnixTime) throws(CommandFailure) -> MacroValues {
        var values = MacroValues()
        values[.timestamp] = .timestamp(time)
        values[.transactionID] = .text(UUID().uuidString.lowercased())
        values[.clientUA] = .text("adtop/\(Adtop.version)")
        values[.serverSide] = .number(0)
        values[.vastVersions] = .numbers(Self.versions)
        values.custom = try NameValue.pairs(macros, flag: "--macro")
        return values
    }

    /// AdCOM creative subtypes of VAST 2.0 to 4.1 and their wrappers, which is as far as the list is published.
    private static let versions = [2, 3, 5, 6, 7, 8, 11, 12]
}
