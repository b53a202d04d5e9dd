import ArgumentParser
import Foundation
import Ports
import TestSupport
import Testing

@testable import adtop

/// The manual page adtop(1), and its rendering by the formatters that are installed.
struct ManualPageTests {
    /// A formatter of manual pages, with the arguments that make it report every fault.
    enum Formatter: String, CaseIterable {
        case mandoc, groff

        var arguments: [String] {
            switch self {
            // A page of a program has no date of its own, and no operating system.
            case .mandoc: ["-T", "lint", "-W", "style"]
            case .groff: ["-ww", "-z", "-m", "an", "-T", "utf8", "-K", "utf8", "-r", "CHECKSTYLE=3"]
            }
        }

        var path: String? {
            ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + rawValue }
                .first(where: FileManager.default.isExecutableFile)
        }

        static var mandocIsThere: Bool { Formatter.mandoc.path != nil }
        static var groffIsThere: Bool { Formatter.groff.path != nil }
        static var isThere: Bool { mandocIsThere || groffIsThere }
    }

    /// Texts that formatters would take for requests, escapes or typographic characters.
    private static let hostile = [
        ".TH evil 1", "'so /etc/passwd", "a\\fBb\\n(.x\\\\", "--a-b", "\"quoted\" 'words' `code` ~ ^", "x\n.nf\n'ig",
        "tab\there\u{7}",
        "café … → 🎬", ".", "'", "\\", "..", ".\\\"comment",
    ]

    /// The page of this program.
    private static func page() throws -> String { ManualPage(try JSONReader.read(Adtop._dumpHelp())).text }

    @Test func everyVerbAndFlagIsInIt() throws {
        let text = Self.plain(try Self.page())
        let commands = ManualCommand(try #require(try JSONReader.read(Adtop._dumpHelp())["command"])).all
        #expect(commands.count > 60)
        var flags = 0
        for command in commands.dropFirst() {
            let section = try #require(Self.section(command.path, in: text), "\(command.path)")
            for option in command.options {
                let name = option.names.isEmpty ? option.subject : option.names
                #expect(section.contains(name), "\(command.path): \(name)")
                flags += 1
            }
        }
        #expect(flags > 900)
    }

    /// The help of each command has no option that the page lacks: the page does not depend on what the parser describes.
    @Test func everyFlagOfTheHelpIsInIt() throws {
        let text = Self.plain(try Self.page())
        for verb in VerbNames.all where verb != "help" {
            let help = Adtop.helpMessage(for: try #require(Self.command(verb)), columns: 200)
            for match in help.matches(of: /(?:^|\n) +(?:-\w, )?(--[a-z0-9-]+)/) {
                #expect(text.contains(match.output.1), "\(verb) \(match.output.1)")
            }
        }
    }

    @Test func everySettingIsInIt() throws {
        let text = Self.plain(try Self.page())
        let settings = try #require(text.components(separatedBy: ".SH SETTINGS").last)
        for setting in Setting.allCases { #expect(settings.contains(".B \"\(setting.rawValue)\""), "\(setting)") }
    }

    @Test func anOptionOfManyVerbsIsDescribedOnce() throws {
        let text = Self.plain(try Self.page())
        #expect(text.components(separatedBy: "Metadata poll interval (default 4s).").count == 3, "option and setting")
    }

    @Test func noTextIsTakenForARequest() {
        for text in Self.hostile {
            for line in RoffText.paragraphs(text) + RoffText.entry(text, text) + RoffText.filled("a\n\(text)") {
                let escapes = line.matches(of: /\\(?!e|-|&|\(aq|\(ga|\(ha|\(ti|\(dq|\[u[0-9A-F]{4,6}\])/)
                #expect(escapes.isEmpty, "\(line)")
                #expect(!line.contains("'"), "\(line)")
                #expect(!line.hasPrefix(".") || line.contains(/^\.(PP|TP|EX|EE|B ".*")$/), "\(line)")
                #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(line)")
            }
        }
    }

    @Test(.enabled(if: Formatter.groffIsThere, "groff is not installed (Debian: apt-get install groff)"))
    func hostileTextIsShownAsItIs() async throws {
        let page = Self.page(of: Self.hostile)
        let folder = try TemporaryFolder()
        try folder.write(page, to: "page.1")
        let groff = try #require(Formatter.groff.path)
        let child = try ChildProcess(
            groff,
            ["-m", "an", "-T", "utf8", "-P", "-c", "-P", "-b", "-P", "-u", "-r", "LL=200n", folder.file("page.1")],
            environment: Self.environment)
        let shown = String(decoding: try await child.end().output, as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for text in Self.hostile {
            let words = text.replacing("\u{7}", with: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(shown.contains(words), "\(words)\n\(shown)")
        }
    }

    @Test(.enabled(if: Formatter.mandocIsThere, "mandoc is not installed (Debian: apt-get install mandoc)"))
    func mandocFindsNothing() async throws { try await check(.mandoc) }

    @Test(.enabled(if: Formatter.groffIsThere, "groff is not installed (Debian: apt-get install groff)"))
    func groffFindsNothing() async throws { try await check(.groff) }

    private func check(_ formatter: Formatter) async throws {
        for page in [try Self.page(), Self.page(of: Self.hostile)] {
            let folder = try TemporaryFolder()
            try folder.write(page, to: "adtop.1")
            let child = try ChildProcess(
                try #require(formatter.path), formatter.arguments + [folder.file("adtop.1")],
                environment: Self.environment)
            let ending = try await child.end()
            let faults = String(decoding: ending.output + ending.errors, as: UTF8.self).split(separator: "\n")
            #expect(faults.isEmpty, "\(faults.prefix(5).joined(separator: "\n"))")
        }
    }

    /// A page whose verbs, options and examples have these texts.
    private static func page(of texts: [String]) -> String {
        let options = texts.map { text -> JSONValue in
            [
                "kind": "option", "names": [["kind": "long", "name": "x"]], "valueName": .string(text),
                "abstract": .string(text), "defaultValue": .string(text), "sectionTitle": .string(text),
            ]
        }
        let verbs = texts.map { text -> JSONValue in
            [
                "commandName": .string(text), "abstract": .string(text), "arguments": .array(options),
                "discussion": .string("\(text)\n\nExamples:\n  \(text)\n\(text)"),
            ]
        }
        let root: JSONValue = [
            "commandName": "adtop", "abstract": "x", "subcommands": .array(verbs),
            "discussion": .string(texts.joined(separator: "\n\n")),
        ]
        return ManualPage(["command": root]).text
    }

    private static let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]

    private static func command(_ verb: String) -> (any ParsableCommand.Type)? {
        Adtop.configuration.subcommands.first { $0.configuration.commandName == verb }
    }

    /// From the heading of a command to the next heading.
    private static func section(_ path: String, in text: String) -> Substring? {
        guard let start = text.range(of: ".SS \"\(path)\"\n") else { return nil }
        return text[start.upperBound...].split(separator: "\n.S", maxSplits: 1).first
    }

    /// The source without the escapes of hyphens and the like.
    private static func plain(_ source: String) -> String {
        source.replacing("\\-", with: "-").replacing("\\fB", with: "").replacing("\\fR", with: "")
            .replacing("\\(aq", with: "'")
    }
}
