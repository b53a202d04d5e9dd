import AdFormats
import Testing

/// The MRAID container and lint (FMT-23, FMT-24).
@Suite struct MRAIDTests {
    private func container(_ placement: MRAIDContainer.Placement = .inline) -> MRAIDContainer {
        MRAIDContainer(
            placement: placement, size: PixelSize(width: 320, height: 50), screen: PixelSize(width: 375, height: 667))
    }

    private func run(_ script: String, _ placement: MRAIDContainer.Placement = .inline) throws -> [String] {
        var container = container(placement)
        return try MRAIDScript(script).steps.flatMap { container.apply($0.command) }.map(\.text)
    }

    @Test func expandsResizesAndCloses() throws {
        #expect(
            try run("loaded\nexposure 100\nresize 320x250 0 0\nexpand\nclose\nclose") == [
                "stateChange(default)", "ready", "exposureChange(100)", "viewableChange(true)", "stateChange(resized)",
                "sizeChange(320,250)", "stateChange(expanded)", "sizeChange(375,667)", "stateChange(default)",
                "sizeChange(320,50)", "stateChange(hidden)", "exposureChange(0)", "viewableChange(false)",
            ])
    }

    @Test func whatIsHiddenIsNotSeen() throws {
        #expect(try run("loaded\nexposure 100\nclose\nexposure 50").last == "viewableChange(false)")
    }

    @Test(arguments: [
        ("expand", "error(not allowed in state loading, expand)"),
        ("loaded\nclose\nopen https://x.example/", "error(not allowed in state hidden, open)"),
        ("loaded\nexpand\nresize 300x250 0 0", "error(not allowed in state expanded, resize)"),
        ("loaded\nresize 4000x250 0 0", "error(larger than the screen, resize)"),
        ("loaded\nresize 10x10 0 0", "error(smaller than the close region, resize)"),
        ("loaded\nopen javascript:x", "error(scheme javascript is not opened, open)"),
        ("loaded\r\nopen file:\u{301}//x", "error(scheme file is not opened, open)"),
        ("loaded\nopen tel:+123", "open(tel:+123)"),
        ("unload\nexpand", "error(the creative is unloaded, expand)"),
    ])
    func whatIsNotAllowedIsAnError(script: String, last: String) throws {
        #expect(try run(script).last == last)
    }

    @Test(arguments: ["expand", "resize 300x250 0 0"])
    func interstitialsNeitherExpandNorResize(step: String) throws {
        let name = step.prefix { $0 != " " }
        #expect(try run("loaded\n\(step)", .interstitial).last == "error(not for interstitials, \(name))")
    }

    @Test func scriptsNameTheirBadLines() {
        let problem = #expect(throws: MRAIDScript.Problem.self) { try MRAIDScript("# fine\nloaded\nexplode\n") }
        #expect(problem?.line == 3)
        #expect(throws: MRAIDScript.Problem.self) { try MRAIDScript("exposure 101") }
    }

    @Test func lintFindsCallsAndTheVersionTheyNeed() {
        let lint = MRAIDLint(
            """
            <script src="mraid.js"></script><script>mraid.addEventListener('ready', go);
            function go() { mraid.expand(); mraid.expand(); mraid.storePicture('x'); mraid.dance(); xmraid.open() }</script>
            """)
        #expect(lint.hasScript && lint.listensForReady && lint.versionNeeded == 2)
        #expect(lint.calls.map(\.name) == ["addEventListener", "expand", "storePicture", "dance"])
        #expect(lint.calls.map(\.count) == [1, 2, 1, 1])
        #expect(
            lint.warnings == [
                "dance is not in any version of MRAID", "the markup does not show whether every call waits for ready",
            ])
    }

    @Test(arguments: [
        ("addEventListener( 'ready', go)", true), ("addEventListener(\n\t\"ready\", go)", true),
        ("addEventListener(`ready`, go)", true), ("addEventListener('error', go)", false),
    ])
    func aListenerForReadyIsFoundHoweverItIsWritten(call: String, isFound: Bool) {
        let lint = MRAIDLint("<script src=\"mraid.js\"></script><script>mraid.\(call)</script>")
        #expect(lint.listensForReady == isFound)
        #expect(lint.warnings.contains { $0.contains("no listener for ready") } == !isFound)
    }

    @Test func plainMarkupUsesNothing() {
        let lint = MRAIDLint("<p>mraid is a word</p>")
        #expect(lint.isEmpty && lint.versionNeeded == nil && lint.warnings.isEmpty)
    }

    @Test func oldControlsAreDeprecated() {
        let lint = MRAIDLint("<script src=mraid.js></script><script>mraid.useCustomClose(true)</script>")
        #expect(lint.warnings.first == "useCustomClose is deprecated in MRAID 3")
        #expect(MRAIDLint("<script>if (window.MRAID_ENV) {}</script>").versionNeeded == 3)
    }
}
