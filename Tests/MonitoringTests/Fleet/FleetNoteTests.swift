import Fleet
import Ports
import Testing

@testable import Monitoring
@testable import Session

/// What the store of a fleet keeps of the notes of a session.
@Suite struct FleetNoteTests {
    private static func row(_ content: JournalNote.Content) -> NoteRow? {
        NoteRow(JournalNote(at: UnixTime(milliseconds: 5), content), of: 7)
    }

    private static func poll(_ changes: String?, _ problem: String?) -> JournalNote.Content {
        .poll(
            JournalNote.Poll(
                feed: .metadata, status: 200, bytes: 9, took: .seconds(1), changes: changes, problem: problem))
    }

    @Test func whatPeopleWantToKnowIsKept() {
        let finding = Finding(rule: "L35", severity: .warning, message: "late\nby 3 s")
        #expect(
            Self.row(.finding(finding, source: .metadata))
                == NoteRow(
                    viewer: 7, at: .milliseconds(5), kind: "finding", level: "warning", rule: "L35",
                    words: "late by 3 s"))
        #expect(
            Self.row(.action("mute")) == NoteRow(viewer: 7, at: .milliseconds(5), kind: "action", words: "mute"))
        #expect(
            Self.row(.log(.error, "no answer"))
                == NoteRow(viewer: 7, at: .milliseconds(5), kind: "log", level: "error", words: "no answer"))
        #expect(
            Self.row(Self.poll("+1 break", nil))
                == NoteRow(viewer: 7, at: .milliseconds(5), kind: "poll", words: "metadata 200: +1 break"))
        #expect(
            Self.row(Self.poll(nil, "no JSON"))
                == NoteRow(
                    viewer: 7, at: .milliseconds(5), kind: "poll", level: "warning", words: "metadata 200: no JSON"))
    }

    /// What comes with every poll and every beacon would fill the store.
    @Test func whatIsAsAlwaysIsNot() {
        #expect(Self.row(Self.poll(nil, nil)) == nil)
        #expect(Self.row(.log(.info, "sent")) == nil)
    }

    @Test func wordsAreOneShortLineWithoutSecrets() {
        let secret = "https://anna:s3cret@a.example/x?token=abc"
        let words = Self.row(.log(.error, "a\r\nb \(secret)"))?.words ?? ""
        #expect(words.hasPrefix("a b ") && !words.contains("s3cret"))
        #expect(Self.row(.action(String(repeating: "x", count: 5_000)))?.words.count == 2_000)
        // The cut falls into a token, of which it leaves two of three parts.
        let long = String(repeating: "x", count: 1_960) + " https://a.example/eyJhbGciOiJI.eyJzdWIi.c2lnbmF0dXJl"
        #expect(Self.row(.action(long))?.words.contains("eyJ") == false)
    }
}
