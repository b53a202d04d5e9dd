import Fleet
import Ports
import Session
import Testing

@testable import Monitoring

@Suite struct FleetPictureTests {
    private static let now = Moment(wall: UnixTime(milliseconds: 1_795_355_628_000), uptime: .seconds(100))

    private static func snapshot(lines: Int, secret: String = "x") -> Snapshot {
        var snapshot = Snapshot.empty(at: now, named: "ch7")
        for number in 0..<lines {
            let message = "https://a.example/?sessid=\(secret) " + String(repeating: "word ", count: 100)
            snapshot.log.append(LogEntry(number: number, at: now, level: .info, message: message))
        }
        return snapshot
    }

    @Test func aSmallPictureHasItsLog() throws {
        let json = try JSONReader.read(PictureText.make(of: Self.snapshot(lines: 3)))
        #expect(json["schema"]?.stringValue == "adtop-snapshot/1")
        #expect(json["log"]?.arrayValue?.count == 3)
    }

    @Test func aLargePictureHasNone() throws {
        let text = PictureText.make(of: Self.snapshot(lines: 1_000))
        #expect(text.utf8.count <= PictureText.limit)
        #expect(try JSONReader.read(text)["log"]?.arrayValue?.isEmpty == true)
    }

    /// Readers may see pictures.
    @Test func secretsAreMasked() {
        #expect(!PictureText.make(of: Self.snapshot(lines: 1, secret: "s3cret")).contains("s3cret"))
    }

    /// One round after the other, and one picture for each poll. Whoever looks again gets one at once.
    @Test func aViewerThatWasNotPolledHasNoNewPicture() {
        let viewer = ViewerEpoch(viewer: 1, epoch: 2)
        var turn = PictureTurn()
        var begun = [
            turn.begins(at: .zero, isWatched: false), turn.begins(at: .zero, isWatched: true),
            turn.begins(at: .seconds(5), isWatched: true),
        ]
        var new = [turn.isNew(viewer, polls: 4)]
        turn.ended()
        begun += [
            turn.begins(at: .milliseconds(900), isWatched: true), turn.begins(at: .seconds(1), isWatched: true),
        ]
        new += [turn.isNew(viewer, polls: 4), turn.isNew(viewer, polls: 5)]
        begun.append(turn.begins(at: .seconds(2), isWatched: false))
        new.append(turn.isNew(viewer, polls: 5))
        #expect(begun == [false, true, false, false, true, false])
        #expect(new == [true, false, true, true])
    }
}
