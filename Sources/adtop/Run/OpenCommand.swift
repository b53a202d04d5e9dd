import Foundation
import Live
import Ports

/// The program that opens the click destinations of ads (FMT-15). Without one nothing is opened; adtop itself never
/// requests a destination.
struct OpenCommand: Sendable {
    /// A path, or a name to look up in PATH.
    let program: String

    /// What opens the addresses of a session; nil without a program.
    static func opener(_ program: String?) -> (@Sendable (String) -> Void)? {
        guard let program else { return nil }
        return { address in Self(program: program).open(address) }
    }

    private static let environment = URL(fileURLWithPath: "/usr/bin/env")

    /// Starts the program with the address as its only argument, without a shell, and does not wait for it. Returns one
    /// clause with the reason when it was not started.
    @discardableResult
    func open(_ address: String) -> String? {
        // An ad's link may be anything; only web addresses are opened.
        guard let url = try? WebURL(written: address) else { return "'\(address)' is not a web address" }
        let process = Process()
        process.executableURL = Self.environment
        process.arguments = [program, url.text]
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        do {
            try process.runWithoutBlockedSignals()
            return nil
        } catch {
            return "\(program) cannot be started"
        }
    }
}
