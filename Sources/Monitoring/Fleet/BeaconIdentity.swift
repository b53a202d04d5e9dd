import AdTracking
import Crypto
import Fleet
import Foundation
import Ports
import Session

/// What a beacon and an ad are called in the store of a fleet (docs/fleet.md): hashes that every agent computes alike.
enum BeaconIdentity {
    /// A viewer's action and a beacon of the service have no due time; theirs is where the viewer was when they were claimed.
    private static let noDate = UnixTime(microseconds: 0)

    /// The first 16 bytes of the hash of type and URL; where the URL has macros, each ad's is a beacon of its own.
    static func beacon(_ beacon: JournalBeacon) -> BeaconID {
        let url = escaped(beacon.url)
        let digest =
            URLText(url).hasMacro
            ? digest([
                "adtop-beacon-macro/1", beacon.breakName, beacon.adName, String(beacon.adStart.microseconds),
                beacon.type,
                url,
            ])
            : digest(["adtop-beacon/1", beacon.type, url])
        return BeaconID(high: number(digest.prefix(8)), low: number(digest.dropFirst(8).prefix(8)))
    }

    /// A URL that can only be requested with escapes for spaces and letters beyond ASCII, as it is with them: both spellings are one beacon.
    /// All others are as written, because stores have their hashes, also with characters that are requested as escapes now and were not
    /// always, such as `|`.
    private static func escaped(_ url: String) -> String { (try? WebURL(written: url))?.text ?? url }

    /// The ad of a beacon as the store keeps it.
    static func ad(_ beacon: JournalBeacon) -> ClaimedAd {
        ad(breakName: beacon.breakName, name: beacon.adName, firstStart: beacon.adStart)
    }

    /// - Parameters: names as in the journal.
    static func ad(breakName: String, name: String, firstStart: UnixTime) -> ClaimedAd {
        let digest = digest(["adtop-ad/1", breakName, name, String(firstStart.microseconds)])
        return ClaimedAd(
            id: Int64(bitPattern: number(digest.prefix(8))), breakName: breakName, name: name,
            firstStart: .microseconds(firstStart.microseconds))
    }

    /// The first 16 bytes of the hash of a session's key, as hexadecimal digits: the store need not know the session's address.
    static func session(_ key: SessionKey) -> String {
        digest(["adtop-session/1", key.text]).prefix(16).hexadecimal
    }

    /// A beacon of a viewer as the agent asks for it.
    /// - Parameter place: the media date of a beacon that has none.
    static func due(
        _ beacon: JournalBeacon, of viewer: Int, round: Int = 0, attempt: Int = 1, at place: UnixTime
    ) -> DueBeacon {
        let date = hasDate(beacon) ? beacon.start : place
        let key = ClaimKey(
            viewer: viewer, due: .microseconds(date.microseconds), beacon: self.beacon(beacon), round: round,
            attempt: attempt)
        var due = DueBeacon(key: key, type: beacon.type, url: beacon.url)
        due.ad = ad(beacon)
        due.host = (try? WebURL(written: beacon.url))?.host ?? ""
        return due
    }

    /// The date of a claim without one while it is not known where its viewer is: after every date that a playlist can have, so that no epoch
    /// begins later and each successor reads the claim. Claims keep their order there.
    /// - Parameter now: when it is made.
    static func beyondAllPlaces(_ now: UnixTime) -> UnixTime { now + .seconds(10_000 * 366 * 86_400) }

    static func hasDate(_ beacon: JournalBeacon) -> Bool { beacon.start != noDate }

    /// Whether a claim is of a beacon with a media date.
    static func hasDate(_ claim: ClaimRequest) -> Bool { claim.beacon.ad?.firstStart != .zero }

    /// A beacon of the store as a journal has it.
    static func journal(_ beacon: DueBeacon, session: SessionKey) -> JournalBeacon? {
        guard let ad = beacon.ad else { return nil }
        return JournalBeacon(
            session: session.text, breakName: ad.breakName, adName: ad.name,
            adStart: UnixTime(microseconds: ad.firstStart.inMicroseconds), type: beacon.type,
            start: UnixTime(microseconds: beacon.key.due.inMicroseconds), url: beacon.url)
    }

    /// The hash of fields, each preceded by its length as four bytes, big-endian.
    private static func digest(_ fields: [String]) -> [UInt8] {
        var hash = SHA256()
        for field in fields {
            let bytes = Array(field.utf8)
            let length = UInt32(clamping: bytes.count)
            hash.update(data: (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) })
            hash.update(data: bytes)
        }
        return Array(hash.finalize())
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
