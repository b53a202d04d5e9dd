import Fleet
import Ports
import Session

/// When pictures of viewers are taken.
struct PictureTurn {
    private static let interval = Duration.seconds(1)

    private var next = Duration.zero
    private var isUnderWay = false
    /// Answers to polls when the last picture of a viewer was made.
    private var polls: [ViewerEpoch: Int] = [:]

    /// Whether a round begins now.
    mutating func begins(at now: Duration, isWatched: Bool) -> Bool {
        guard isWatched else {
            polls = [:]
            return false
        }
        guard now >= next, !isUnderWay else { return false }
        next = now + Self.interval
        isUnderWay = true
        return true
    }

    mutating func ended() { isUnderWay = false }

    /// Whether a viewer was polled since its last picture.
    mutating func isNew(_ viewer: ViewerEpoch, polls count: Int) -> Bool {
        defer { polls[viewer] = count }
        return polls[viewer] != count
    }
}

extension FleetRuntime {
    /// Saves a picture of each viewer of which one is wanted, after each of its polls.
    func takePictures() async {
        for id in agent.watched {
            guard let follower = followers[id.viewer], follower.id == id, let member = follower.group?.members.first
            else { continue }
            let snapshot = await member.monitor.snapshot()
            let polls = snapshot.counters.metadataPolls + snapshot.counters.playlistReloads
            guard pictures.isNew(id, polls: polls) else { continue }
            let text = PictureText.make(of: snapshot)
            act {
                $0.notePicture(text, of: id)
                return $0.ticked(at: $1)
            }
        }
        pictures.ended()
    }
}

/// A session as `adtop-snapshot/1` in few bytes, secrets masked: readers may see it.
enum PictureText {
    static let limit = 256 << 10

    /// Without the log where it is too large, then without the oldest breaks.
    static func make(of snapshot: Snapshot) -> String {
        var snapshot = snapshot
        var text = SnapshotJSON().value(of: snapshot).text()
        while text.utf8.count > limit {
            if snapshot.log.count > 0 {
                snapshot.log = LogView(capacity: 1)
            } else if snapshot.breaks.count > 1 {
                snapshot.breaks.removeFirst((snapshot.breaks.count + 1) / 2)
            } else {
                return text
            }
            text = SnapshotJSON().value(of: snapshot).text()
        }
        return text
    }
}
