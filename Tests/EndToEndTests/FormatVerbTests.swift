import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `adtop format`, `native`, `mraid`, `rewarded` against the embedded origin, and plugins in another language.
@Suite(.serialized) struct FormatVerbTests {
    private func trace(_ json: JSONValue, _ kind: String) -> [String] {
        (json["trace"]?.arrayValue ?? []).filter { $0["kind"] == .string(kind) }.compactMap { $0["text"]?.stringValue }
    }

    @Test func aBannerGoesThroughItsStates() async throws {
        try await ServedZones.with { zones in
            let run = try await AdtopProcess.run([
                "format", "load", "--url", zones, "--unit", "banner-1", "--visibility", "0,0.5,1", "--json",
            ])
            #expect(run.status == 0, "\(run.errors)")
            let json = try run.json()
            #expect(
                trace(json, "call") == [
                    "stateChanged(loading)", "adLoaded(view)", "stateChanged(loaded)", "adReceived",
                    "adWillPresentScreen", "stateChanged(impressed)",
                ])
            #expect(json["slot"]?["viewability"] == ["mrc50", "mrc100"])
            #expect(json["slot"]?["ad"]?["links"] == ["https://shop.example/banner-1"])
        }
    }

    /// Its error is owed, its start is not, and nothing counts as viewable.
    @Test func aVideoThatCannotBePlayedIsAnError() async throws {
        let server = try await ScriptedServer { request in
            guard !request.line.hasSuffix("/v.mp4") else {
                return [.answer("200 OK", ["Content-Type: video/mp4"], body: "<html>")]
            }
            let host = GuardedOrigin.field("Host", of: request) ?? ""
            return [
                .answer(
                    "200 OK", ["Content-Type: application/xml"],
                    body: """
                        <VAST version="4.0"><Ad id="1"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
                        <Error>https://e.example/?c=[ERRORCODE]</Error><Impression>https://i.example/</Impression>
                        <Creatives><Creative><Linear><Duration>00:00:10</Duration><TrackingEvents>
                        <Tracking event="start">https://s.example/</Tracking></TrackingEvents><MediaFiles>
                        <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">http://\(host)/v.mp4</MediaFile>
                        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
                        """)
            ]
        }
        let run = try await AdtopProcess.run([
            "format", "show", "--url", server.url("/ads"), "--unit", "r", "--type", "rewarded", "--no-zones",
        ])
        try await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("report  error  https://e.example/?c=405\n"), "\(run.output)")
        #expect(!run.output.contains("video50") && !run.output.contains("s.example"), "\(run.output)")
    }

    /// The price of a bid is in its markup and its notices, which are listed and not requested.
    @Test func aBidIsFilledAndItsNoticesAreListed() async throws {
        let bids = #"""
            {"id": "x", "cur": "EUR", "seatbid": [{"seat": "s", "bid": [
             {"id": "1", "impid": "1", "price": 0.29, "adm": "a", "lurl": "https://l.example/?c=${AUCTION_LOSS}"},
             {"id": "2", "impid": "1", "price": 0.3, "adm": "<b>${AUCTION_PRICE} ${AUCTION_CURRENCY}</b>",
              "nurl": "https://w.example/?p=${AUCTION_PRICE}", "burl": "https://b.example/?s=${AUCTION_SEAT_ID}"}]}]}
            """#
        let server = try await ScriptedServer { _ in [.answer("200 OK", ["Content-Type: application/json"], body: bids)]
        }
        let run = try await AdtopProcess.run([
            "format", "load", "--plugin", "openrtb", "--url", server.url("/bid"), "--unit", "home", "--visibility",
            "0,1", "--json",
        ])
        try await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        let json = try run.json()
        #expect(trace(json, "report") == ["nurl", "lurl", "burl"])
        let urls = (json["trace"]?.arrayValue ?? []).flatMap { $0["urls"]?.arrayValue ?? [] }.compactMap(\.stringValue)
        #expect(
            urls == ["https://w.example/?p=0.3", "https://l.example/?c=102", "https://b.example/?s=s"], "\(run.output)")
        #expect(json["slot"]?["ad"]?["text"] == ["0.3 EUR"])
        #expect(server.requests.map(\.line) == ["POST /bid"])
    }

    @Test func aClickOpensWhereItLeadsWhereSomebodyWantsThat() async throws {
        let folder = try TemporaryFolder()
        // Into a pipe, whose reader ends when the command that is not waited for has written.
        try folder.write("#!/bin/sh\nprintf '%s|' \"$#\" \"$@\" > \"$(dirname \"$0\")/opened\"\n", to: "open.sh")
        try #require(mkfifo(folder.file("opened"), 0o600) == 0)
        let reader = try ChildProcess("/bin/cat", [folder.file("opened")], environment: [:])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("open.sh"))
        try folder.write("<a href='https://shop.example/?a=1&amp;b=$(id)'>x</a>", to: "ad.html")
        let run = try await AdtopProcess.run([
            "format", "load", "--plugin", "static", "--file", folder.file("ad.html"), "--unit", "u", "--click",
            "--open-cmd", folder.file("open.sh"),
        ])
        #expect(run.status == 0, "\(run.errors)")
        let opened = String(decoding: try await reader.end().output, as: UTF8.self)
        #expect(opened.hasPrefix("1|https://shop.example/?a=1&b=") && opened.hasSuffix("|"), "\(opened)")
    }

    @Test func theDevelopmentAddressIsAskedWhereItIsChosen() async throws {
        try await ServedZones.with { zones in
            let folder = try TemporaryFolder()
            try folder.write(
                "{\"production\": \"http://127.0.0.1:1/\", \"development\": \"\(zones)\"}", to: "server.json")
            let flags = ["format", "load", "--unit", "banner-1", "--config", folder.file("server.json"), "--json"]
            #expect(try await AdtopProcess.run(flags).status == 4)
            let run = try await AdtopProcess.run(flags + ["--env", "development"])
            #expect(run.status == 0, "\(run.errors)")
            let session = [
                "watch", "http://127.0.0.1:9/live.m3u8", "--dump", "--slot", "a=banner:u", "--env", "development",
            ]
            let refused = try await AdtopProcess.run(session + ["--ad-server", zones])
            #expect(refused.status == 2 && refused.errors.contains("no development address"), "\(refused.errors)")
        }
    }

    @Test(.enabled(if: Namespaces.partNetworks, "no network namespace can be made here"))
    func withoutAnInterfaceNoCallIsMade() async throws {
        let run = try await AdtopProcess.run(
            ["format", "load", "--url", "http://127.0.0.1:9/", "--unit", "u"], through: ["/usr/bin/unshare", "-Urn"])
        #expect(run.status == 4 && run.output.contains("no network interface is up"), "\(run.output)")
    }

    @Test func aRewardedVideoIsPlayedToItsReward() async throws {
        try await ServedZones.with { zones in
            let run = try await AdtopProcess.run([
                "format", "show", "--url", zones, "--unit", "rewarded-1", "--type", "rewarded", "--json",
            ])
            #expect(run.status == 0, "\(run.errors)")
            let json = try run.json()
            #expect(
                trace(json, "report") == [
                    "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "companionView",
                ])
            #expect(trace(json, "call").filter { $0.hasPrefix("adRewarded") } == ["adRewarded(Lives,12)"])
            #expect(json["slot"]?["ad"]?["media"]?["quality"] == "low" && json["slot"]?["state"] == "closed")
        }
    }

    @Test func aRewardedZoneIsKeptForAnHour() async throws {
        try await ServedZones.with { zones in
            let folder = try TemporaryFolder()
            let load = [
                "format", "load", "--url", zones, "--unit", "rewarded-1", "--type", "rewarded", "--zone-folder",
                folder.path, "--json",
            ]
            let first = try await AdtopProcess.run(load)
            #expect(first.status == 0, "\(first.errors)")
            #expect(trace(try first.json(), "note").contains("zone saved for an hour"))
            let second = try await AdtopProcess.run(load).json()
            // Neither the ad server nor the video is asked for again.
            #expect(trace(second, "request").isEmpty)
            #expect(trace(second, "note").contains("the zone store has the unit; no ad call is made"))
            #expect(second["slot"]?["ad"]?["media"]?["ageMs"]?.integerValue != nil)
            let list = try await AdtopProcess.run(["zone", "list", "--folder", folder.path, "--json"]).json()
            #expect(list["zones"]?.arrayValue?.first?["zone"] == "rewarded-1")
            // Another unit is chosen by how long the first download took: next to nothing.
            let other = try await AdtopProcess.run(load.map { $0 == "rewarded-1" ? "rewarded-2" : $0 }).json()
            #expect(other["slot"]?["ad"]?["media"]?["quality"] == "high")
            let both = try await AdtopProcess.run(load + ["--no-zones"])
            #expect(both.status == 2 && both.errors.contains("--zone-folder and --no-zones exclude each other"))
            let without = try await AdtopProcess.run(
                load.filter { !["--zone-folder", folder.path].contains($0) } + ["--no-zones"]
            ).json()
            #expect(trace(without, "request").count == 2)
        }
    }

    @Test func whatIsSaidCanBeSet() async throws {
        try await ServedZones.with { zones in
            let load = ["format", "load", "--url", zones, "--unit", "banner-1", "--json"]
            let run = try await AdtopProcess.run(
                load + ["--orientation", "l", "--connection", "wifi", "--ad-parameter", "lang=sv", "--explain"])
            #expect(run.status == 0, "\(run.errors)")
            let json = try run.json()
            let request = try #require(trace(json, "request").first)
            for part in ["o=l", "conn=wifi", "lang=sv"] { #expect(request.contains("&\(part)")) }
            let wrong = try await AdtopProcess.run(load + ["--orientation", "upside"])
            #expect(wrong.status == 2 && wrong.errors.contains("o must be one of p, l"))
        }
    }

    @Test(arguments: [
        ("banner-nofill", Int32(3)), ("banner-error", 4), ("banner-type", 4), ("native-malformed", 4),
        ("rewarded-malformed", 4), ("", 5),
    ])
    func failuresHaveTheirCodes(unit: String, status: Int32) async throws {
        try await ServedZones.with { zones in
            let type = unit.prefix { $0 != "-" }
            let run = try await AdtopProcess.run([
                "format", "load", "--url", zones, "--unit", unit, "--type", type.isEmpty ? "banner" : String(type),
            ])
            #expect(run.status == status, "\(run.output) \(run.errors)")
        }
    }

    @Test func explainNamesEighteenParameters() async throws {
        try await ServedZones.with { zones in
            let run = try await AdtopProcess.run([
                "format", "load", "--url", zones, "--unit", "banner-1", "--explain", "--json",
            ])
            let parameters = try run.json()["parameters"]?.arrayValue ?? []
            #expect(parameters.count == 18)
            #expect(
                parameters.filter { $0["kind"] == "dynamic" }.compactMap { $0["key"]?.stringValue } == [
                    "geo", "o", "conn",
                ])
        }
    }

    @Test func tenMegabytesAreRefused() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "x", count: 10 << 20), to: "big.html")
        let run = try await AdtopProcess.run([
            "format", "load", "--plugin", "static", "--file", folder.file("big.html"), "--unit", "u",
        ])
        #expect(run.status == 4 && run.errors.contains("longer than"))
    }

    @Test func nativeMRAIDAndRewardedRead() async throws {
        try await ServedZones.with { zones in
            let native = try await AdtopProcess.run(["native", "\(zones)?zone=native-1", "--json"])
            #expect(native.status == 0)
            #expect(try native.json()["title"] == "Ride further")
            let rewarded = try await AdtopProcess.run(["rewarded", "\(zones)?zone=rewarded-1", "--json"])
            #expect(rewarded.status == 0)
            #expect(
                try rewarded.json()["ads"]?.arrayValue?.first?["messages"] == [
                    "WATCH NOW", "Watch to earn 12 Lives", "You earned 12 Lives",
                ])
            let folder = try TemporaryFolder()
            try folder.write("loaded\nexpand\nclose\nclose\nexpand\n", to: "steps.txt")
            let mraid = try await AdtopProcess.run([
                "mraid", "\(zones)?zone=interstitial-1", "--script", folder.file("steps.txt"), "--json",
            ])
            #expect(mraid.status == 1)
            #expect(try mraid.json()["version"] == 2)
            #expect(
                try mraid.json()["trace"]?.arrayValue?.last?["events"] == [
                    "error(not allowed in state hidden, expand)"
                ])
        }
    }

    @Test func bidsAndCreativesAreChecked() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"{"adomain":["shop.casino.example"],"cat":["IAB9-7"],"attr":[3],"adm":"<img src='http://x.example/i.png'>"}"#,
            to: "bid.json")
        let run = try await AdtopProcess.run([
            "check", folder.file("bid.json"), "--badv", "casino.example", "--bcat", "IAB25", "--battr", "3", "--secure",
            "--json",
        ])
        #expect(run.status == 1)
        let checks = try run.json()["checks"]?.arrayValue ?? []
        #expect(checks.map { $0["check"] } == ["advertiser", "category", "attribute", "secure"])
        #expect(checks.map { $0["ok"] } == [false, true, false, false])
        try folder.write(#"{"id":"b","impid":"1","w":728,"h":90,"dur":45}"#, to: "video.json")
        let sized = try await AdtopProcess.run([
            "check", folder.file("video.json"), "--size", "320x50,300x250", "--duration", "5-30", "--json",
        ])
        let sizes = try sized.json()["checks"]?.arrayValue ?? []
        #expect(sized.status == 1 && sizes.map { $0["offender"] } == ["728x90", "45 s"])
        let fits = ["check", folder.file("video.json"), "--size", "728x90", "--duration", "45-60"]
        #expect(try await AdtopProcess.run(fits).status == 0)
        #expect(try await AdtopProcess.run(["check", folder.file("video.json"), "--size", "wide"]).status == 2)
        try folder.write("<img src='https://x.example/i.png'>", to: "fine.html")
        #expect(try await AdtopProcess.run(["check", folder.file("fine.html"), "--secure"]).status == 0)
        #expect(try await AdtopProcess.run(["check", folder.file("fine.html")]).status == 2)
        try folder.write(#"{"seatbid":[{"bid":[{"adomain":["casino.example"]}]}]}"#, to: "response.json")
        let response = try await AdtopProcess.run(["check", folder.file("response.json"), "--badv", "casino.example"])
        #expect(response.status == 4 && response.output.isEmpty && response.errors.contains("is a bid response"))
    }

    /// What it shows without a type is what it can show.
    @Test func showHasATypeOfItsOwn() async throws {
        let folder = try TemporaryFolder()
        try folder.write("<b>ad</b>", to: "ad.html")
        let arguments = ["format", "show", "--plugin", "static", "--file", folder.file("ad.html"), "--unit", "u"]
        #expect(try await AdtopProcess.run(arguments).status == 0)
        #expect(try await AdtopProcess.run(arguments + ["--type", "banner"]).status == 2)
    }

    // MARK: Plugins

    @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"))
    func aPluginInPythonServesABanner() async throws {
        let folder = try PythonPlugin.folder()
        let run = try await AdtopProcess.run([
            "format", "load", "--plugins", folder.path, "--plugin", "py", "--unit", "home", "--visibility", "1",
            "--json",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let json = try run.json()
        #expect(json["slot"]?["state"] == "impressed" && json["slot"]?["provider"] == "py")
        #expect(json["slot"]?["ad"]?["text"] == ["From [1] Python"])
        #expect(trace(json, "note").contains("plugin: hello from python"))
    }

    @Test(
        .enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"),
        arguments: [
            ("hang", Int32(4), "no answer within 1s"), ("die", 4, "the plugin ended with status 3"),
            ("lie", 3, "none today"), ("flood", 4, "a line of its output is longer than 1 MiB"),
            ("chatter", 4, "the plugin writes more than 200 lines or 4 MiB per second"),
        ])
    func aPluginThatMisbehavesFailsTheLoad(unit: String, status: Int32, detail: String) async throws {
        let folder = try PythonPlugin.folder()
        let run = try await AdtopProcess.run([
            "format", "load", "--plugins", folder.path, "--plugin", "py", "--unit", unit, "--tmax", "1s", "--json",
        ])
        #expect(run.status == status, "\(run.output) \(run.errors)")
        let json = try run.json()
        #expect(json["slot"]?["detail"] == .string(detail))
        #expect(!trace(json, "call").contains { $0.hasPrefix("adRewarded") || $0 == "stateChanged(impressed)" })
    }

    @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"))
    func aFormatNobodyDeclaredIsInvalid() async throws {
        let folder = try PythonPlugin.folder()
        let run = try await AdtopProcess.run([
            "format", "load", "--plugins", folder.path, "--plugin", "py", "--unit", "home", "--type", "rewarded",
        ])
        #expect(run.status == 5 && run.errors.contains("py does not declare rewarded; give another --type"))
    }

    /// The remedy is that of the plugin.
    @Test(arguments: [
        ([], "the production address of the ad server is missing; give --url"),
        (["--url", "zz"], "the production address is not absolute: it has no http:// or https://; give --url"),
        (["--plugin", "openrtb"], "no endpoint is configured; give --url"),
        (["--plugin", "static"], "static ads: 'units' is missing or is not an object; give --file"),
        (
            ["--plugin", "nope"],
            "unknown plugin 'nope'; use one of static, adserver, recorded, failing, openrtb, prebid"
        ),
    ])
    func whatAnAdLacksIsNamed(_ arguments: [String], _ clause: String) async throws {
        let run = try await AdtopProcess.run(["format", "load", "--unit", "u"] + arguments)
        #expect(run.status == 5 && run.errors == "adtop: invalid request: \(clause)\n", "\(run.errors)")
    }

    /// The folder is named with what cannot be used there, and what can.
    @Test func aRejectedManifestIsNamedWithItsError() async throws {
        let folder = try PythonPlugin.folder()
        try folder.write("{\"identifier\":\"esc\",\"api\":{\"executable\":\"../sh\"}}", to: "esc.json")
        let run = try await AdtopProcess.run([
            "format", "load", "--unit", "u", "--plugins", folder.path, "--plugin", "esc",
        ])
        let check = try await AdtopProcess.run(["plugins", "check", folder.path, "--json"])
        let findings = try check.json()["findings"]?.arrayValue ?? []
        let messages = findings.compactMap { $0["message"]?.stringValue }
        let message = try #require(messages.first)
        let known = "use one of py, static, adserver, recorded, failing, openrtb, prebid"
        let start = "adtop: invalid request: no usable plugin 'esc' in \(folder.path); esc.json: \(message.dropLast())"
        #expect(run.status == 5 && run.errors.hasPrefix(start) && run.errors.hasSuffix("; \(known)\n"), "\(run.errors)")
    }

    @Test(arguments: ["choose", "rewarded"]) func aDocumentWithoutAdsHasNone(verb: String) async throws {
        let run = try await AdtopProcess.run([verb, "-"], input: "<VAST version=\"4.2\"/>")
        #expect(run.status == 1 && run.output == "no ad in the document\n", "\(run.output) \(run.errors)")
    }

    @Test func manifestsAreChecked() async throws {
        let folder = try PythonPlugin.folder()
        #expect(try await AdtopProcess.run(["plugins", "check", folder.path]).status == 0)
        try folder.write("{\"identifier\":\"bad\",\"api\":{\"executable\":\"../sh\"}}", to: "bad.json")
        let run = try await AdtopProcess.run(["plugins", "check", folder.path])
        #expect(run.status == 1 && run.output.contains("bad.json") && run.output.contains("plugin-executable"))
        let list = try await AdtopProcess.run(["plugins", "list", folder.path])
        #expect(list.output.contains("adserver") && list.output.contains("py.json"))
    }
}
