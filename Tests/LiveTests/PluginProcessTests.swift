import Foundation
import Live
import TestSupport
import Testing

@Suite struct PluginProcessTests {
    /// Maximum number of waiting events; one more is read when there is capacity again.
    private static let waiting = 16

    @Test func releasingAProcessWithUnreadEventsIsSafe() async throws {
        let folder = try TemporaryFolder()
        try folder.write("#!/bin/sh\nexec yes\n", to: "plugin.sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("plugin.sh"))
        var heard: [PluginProcess.Event] = []
        do {
            let process = try PluginProcess(executable: URL(fileURLWithPath: folder.file("plugin.sh")))
            for await event in process.events {
                heard.append(event)
                if heard.count == Self.waiting { process.kill() }
            }
        }
        #expect(heard.last == .exited("ended by signal 9"))
        // Output after that is dropped, except events that were already waiting.
        #expect((Self.waiting + 1...Self.waiting + 2).contains(heard.count))
    }
}
