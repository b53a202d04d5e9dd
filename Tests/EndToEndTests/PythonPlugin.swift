import Foundation
import TestSupport

/// A plugin in Python. Its behaviour depends on the unit: `home` gets an ad, every other unit has a fault.
enum PythonPlugin {
    static let canRun = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    private static let script = """
        #!/usr/bin/env python3
        import json, os, signal, sys, time
        def say(**message):
            sys.stdout.write(json.dumps(message) + "\\n")
            sys.stdout.flush()
        def hang(ignores_signals):
            if ignores_signals:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            with open("hung.txt", "a") as file:
                file.write(str(os.getpid()) + "\\n")
            time.sleep(600)
        for line in sys.stdin:
            message = json.loads(line)
            kind = message["type"]
            if kind == "hello":
                assert "HOME" not in os.environ and "LD_LIBRARY_PATH" not in os.environ
                sys.stderr.write("hello from python\\n")
                sys.stderr.flush()
                say(type="ready", provider="py", capabilities=["banner", "bid"], sizes={"WIDE": [640, 50]})
            elif kind == "load":
                name, unit = message["presenter"], message["config"]["unit"]
                if unit == "home":
                    say(type="loaded", presenter=name, size=[320, 50],
                        surface={"html": "<p>From <a href='https://py.example/'>Python</a></p>"})
                elif unit == "hang":
                    time.sleep(60)
                elif unit == "stuck":
                    hang(True)
                elif unit == "die":
                    sys.exit(3)
                elif unit == "lie":
                    say(type="state", presenter=name, state="impressed")
                    say(type="reward", presenter=name, name="Gold", amount=1000)
                    say(type="loaded", presenter="somebody else", surface={"html": "x"})
                    say(type="failed", presenter=name, error="noFill", detail="none today")
                elif unit == "flood":
                    sys.stdout.write("x" * (2 << 20))
                    sys.stdout.flush()
                elif unit == "chatter":
                    while True:
                        say(type="weather", text="sunny")
            elif kind == "bid":
                request, mood = message["request"], message["openrtb"]["imp"][0]["tagid"]
                bid = {"winningCreativeID": "c1", "price": "0.75", "currency": "USD", "markup": "<p>From Python</p>"}
                if mood in ("hang", "stuck"):
                    hang(mood == "stuck")
                elif mood == "die":
                    sys.exit(3)
                elif mood == "lie":
                    say(type="bid", request="another", bid=bid)
                    say(type="bid", request=request, bid=dict(bid, price="1e400"))
                elif mood == "flood":
                    while True:
                        say(type="weather", text="sunny")
                else:
                    say(type="bid", request=request, bid=bid)
            elif kind == "finished":
                sys.stderr.write("finished " + message["outcome"] + "\\n")
                sys.stderr.flush()
                with open("finished.txt", "a") as file:
                    file.write(message["outcome"] + " " + ",".join(message["calls"]) + "\\n")
            elif kind == "bye":
                if message["reason"] == "never":
                    continue
                break
        """

    /// The processes of a folder that hung, in order, and whether each has ended.
    static func hung(in folder: TemporaryFolder) -> [(pid: Int32, isGone: Bool)] {
        // The first hanging process creates the file.
        let text = (try? String(contentsOfFile: folder.file("hung.txt"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { Int32($0) }.map { ($0, kill($0, 0) == -1 && errno == ESRCH) }
    }

    /// A folder with the plugin under each identifier; each has its own process.
    static func folder(_ identifiers: [String] = ["py"]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for identifier in identifiers {
            try folder.write(
                """
                {"identifier":"\(identifier)","name":"Python","type":"advertisement","api":{"executable":"plugin.py",
                "protocol":1,"capabilities":["banner","bid"]}}
                """, to: "\(identifier).json")
        }
        try folder.write(script, to: "plugin.py")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("plugin.py"))
        return folder
    }
}
