import Foundation
import Live
import Ports

/// The program that opens where clicks lead, as a person named it (FMT-15): without one nothing is opened, and adtop
/// itself
/// never requests it.
struct OpenCommand: Sendable {
    /// A path, or a name that is looked for in PATH.
    let program: String

    private static let environment = URL(fileURLWithPath: "/usr/bin/env")

    /// Starts the program with the address as its one argument, without a shell, and does not wait for it. Returns why it was
    /// not started, as a clause.
    @discardableResult
    func open(_ address: String) -> String? {
        // An ad's link may be anything; only web addresses are opened.
        guard let url = try? WebURL(address) else { return "'\(address)' is no web address" }
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
