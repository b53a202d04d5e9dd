import ArgumentParser
import Dashboard
import Foundation
import Ports
import TestSupport
import Testing

@testable import adtop

/// docs/connect.md beside the program: every flag and command on the page exists, and no flag of the page's subject is missing.
@Suite struct ConnectPageTests {
    private static func page() throws -> String { try DocumentationPage.text("connect") }

    private static func flags(in text: some StringProtocol) -> Set<String> {
        Set(String(text).matches(of: /(?:^|[^-\w])(--[a-z][a-z0-9-]+)/).map { String($0.output.1) })
    }

    private static func helps(below root: any ParsableCommand.Type) -> [String] {
        [Adtop.helpMessage(for: root)] + root.configuration.subcommands.flatMap { helps(below: $0) }
    }

    /// Those of curl that the page compares with.
    private static let curls: Set<String> = ["--oauth2-bearer", "--proxy-cacert", "--max-time"]

    @Test func everyFlagOfThePageExists() throws {
        let known = Self.helps(below: Adtop.self).reduce(into: Set<String>()) { $0.formUnion(Self.flags(in: $1)) }
        let named = Self.flags(in: try Self.page())
        #expect(named.count > 30)
        #expect(named.subtracting(known) == Self.curls)
        #expect(Self.curls.isDisjoint(with: known))
    }

    /// All that a tool has of the page's flags stands on the page.
    @Test func noFlagIsMissing() throws {
        struct Tool: ParsableCommand {
            @OptionGroup var fetch: FetchOptions
        }
        let given = Self.flags(in: Tool.helpMessage()).subtracting(["--help", "--version"])
        #expect(given.count > 20)
        #expect(given.subtracting(Self.flags(in: try Self.page())) == [])
    }

    /// The page has the limits and the date of the program (RFC 6265 section 6.1).
    @Test func theLimitsOfCookiesAreThoseOfThePage() throws {
        #expect(CookieJar.maximumCookies == 3_000 && CookieJar.maximumOfDomain == 50 && Cookie.maximumBytes == 4 << 10)
        let words = try Self.page().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("3,000 cookies, 50 of a domain, 4 KiB each;"))
        #expect(words.contains("public suffixes by the list of \(PublicSuffix.date))"))
    }

    /// The commands of the page, as a shell would divide them.
    private static func commands(in page: String) -> [[String]] {
        let spans = page.matches(of: /`((?:[A-Z_]+=\S+ )*adtop [^`]+)`/).map { String($0.output.1) }
        let lines = page.components(separatedBy: "\n").filter { $0.contains(#/^(?:[A-Za-z_]+=\S+ )*adtop /#) }
        return (spans + lines).map { text in
            var (words, word, isQuoted, isWord) = ([String](), "", false, false)
            for character in text + " " {
                if character == "'" {
                    (isQuoted, isWord) = (!isQuoted, true)
                } else if !isQuoted, character == "#" || character == "|" {
                    break
                } else if !isQuoted, character == " " {
                    if isWord { words.append(word) }
                    (word, isWord) = ("", false)
                } else {
                    word.append(character)
                    isWord = true
                }
            }
            return Array(words.drop { $0 != "adtop" }.dropFirst())
        }
    }

    @Test func everyCommandOfThePageIsUnderstood() throws {
        let commands = Self.commands(in: try Self.page())
        #expect(commands.count > 25)
        for words in commands {
            // The name of a verb alone, such as `adtop hls parse`.
            if words.allSatisfy({ $0.contains(/^[a-z]+$/) }) {
                #expect(VerbNames.all.contains(words.first ?? ""), "adtop \(words)")
                continue
            }
            // A mention in a sentence has flags alone.
            guard words.contains(where: { $0 == "URL" || $0.contains("://") }) else {
                #expect(VerbNames.verb(in: words) != nil, "adtop \(words)")
                continue
            }
            let given = words.map { $0 == "URL" ? "https://example.com/live/master.m3u8" : $0 }
            let verb = try #require(VerbNames.verb(in: IdentityOptions.joined(given)), "adtop \(words)")
            #expect(throws: Never.self, "adtop \(words)") { _ = try verb.type.parseAsRoot(verb.rest) }
        }
    }

    /// The settings of a command of the page that watches a stream.
    private static func settings(of words: [String]) throws -> Settings {
        let given = words.map { $0 == "URL" ? "https://example.com/live/master.m3u8" : $0 }
        let verb = try #require(VerbNames.verb(in: IdentityOptions.joined(given)))
        let watch = try #require(try verb.type.parseAsRoot(verb.rest) as? WatchCommand)
        let flags = watch.session.settings.merging(watch.screen.settings) { first, _ in first }
        return try Settings(SettingTexts(flags: flags, environment: ["TOKEN": "abc.def"], file: nil))
    }

    /// The first table, row by row: each command has values that count, each flag after it too, and what is typed on the screen is a
    /// command there.
    @Test func everyRowOfTheFirstTableIsUnderstood() throws {
        let part = try #require(try Self.page().components(separatedBy: "## What you have, and the command\n").last)
        let table = try #require(part.components(separatedBy: "\n## ").first)
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count >= 17)
        let plain = try Self.settings(of: ["URL"])
        var (changes, typed) = (0, 0)
        for row in rows {
            for span in row.matches(of: /`([^`]+)`/).map({ String($0.output.1) }) {
                // A value that is left out.
                let text = span.replacing("…", with: "x")
                if text.hasPrefix(":") {
                    #expect(throws: Never.self, "\(row)") { _ = try Dashboard.CommandLine.parse(text, date: nil) }
                    typed += 1
                    continue
                }
                // A flag alone takes the place of those of the command before it, or is added to them.
                let line = text.hasPrefix("-") ? "adtop URL \(text)" : text
                let words = try #require(Self.commands(in: "`\(line)`").first, "\(row)")
                let settings = try Self.settings(of: words)
                if settings != plain { changes += 1 }
            }
        }
        #expect(changes >= 15, "\(changes)")
        #expect(typed == 2)
    }
}
