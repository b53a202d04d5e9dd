import AdTracking
import Bidding
import HLS
import Ports

extension GrowthCase {
    /// Answers as such: header fields, cookies, JSON, asset lists, bids.
    package static let answers: [GrowthCase] = [
        GrowthCase("answer: header fields", from: 4_000) { size in
            var session = started()
            session.fields = (0..<size).map { HTTPField("x-\($0)", "\($0)") }
            return { session.advance(by: .seconds(5)) }
        },
        GrowthCase("answer: continued lines of a head", from: 8_000) { size in
            let head = Array("HTTP/1.1 200 OK\nA: b\n\(String(repeating: " c\n", count: size))\n".utf8)
            return { _ = AnswerHead(head) }
        },
        GrowthCase("answer: cookies", from: 4_000) { size in
            let fields = (0..<size).map { HTTPField("Set-Cookie", "c\($0)=v; Path=/\($0); Max-Age=100") }
            guard let url = try? WebURL("https://h/p") else { preconditionFailure("a URL") }
            return {
                var jar = CookieJar()
                jar.store(fields, from: url, at: UnixTime(microseconds: 0))
                _ = jar.field(for: url, at: UnixTime(microseconds: 0))
            }
        },
        json("members of an object", from: 8_000) { "\"m\($0)\":\($0)" },
        json("equal members of an object", from: 8_000) { "\"m\":\($0)" },
        GrowthCase("asset list: assets and signals", from: 400) { size in
            let assets = (0..<size).map {
                "{\"URI\":\"a\($0).m3u8\",\"DURATION\":1,\"X-AD-CREATIVE-SIGNALING\":{\"version\":2,\"type\":\"slot\",\"payload\":[{\"type\":\"linear\",\"start\":0,\"duration\":1,\"tracking\":[{\"type\":\"impression\",\"urls\":[\"https://t/\($0)\"]}]}]}}"
            }.joined(separator: ",")
            let podEvents = (0..<size).map {
                "{\"type\":\"progress\",\"offset\":\($0),\"urls\":[\"https://t/p\($0)\"]}"
            }.joined(separator: ",")
            let text =
                "{\"ASSETS\":[\(assets)],\"X-AD-CREATIVE-SIGNALING\":{\"version\":2,\"type\":\"pod\",\"payload\":[{\"type\":\"pod\",\"start\":0,\"duration\":\(size),\"tracking\":[\(podEvents)]}]}}"
            let body = Array(text.utf8)
            return {
                guard let list = try? AssetList.read(body, uri: "https://h/a.json") else { return }
                var track = InterstitialTrack()
                track.noteAssetList(list, for: "i")
                place(list)
            }
        },
        GrowthCase("listing: breaks of one id", from: 1_000) { size in
            let answer = listed((0..<size).map { breakOfOneID($0) })
            return {
                var listing = Listing()
                listing.add(answer)
            }
        },
        GrowthCase("listing: breaks without ids", from: 1_000) { size in
            let breaks = (0..<size).flatMap { number in
                [nil, "b\(number)"].map {
                    ListedBreak(id: $0, start: ExactDecimal(Int32(number)), statedDuration: .one)
                }
            }
            let answer = listed(breaks)
            return {
                var listing = Listing()
                listing.add(answer)
            }
        },
        GrowthCase("listing: ads of one time", from: 100) { size in
            var adBreak = ListedBreak(id: "b", start: .zero, statedDuration: ExactDecimal(10))
            adBreak.ads = (0..<size).map { _ in ListedAd(id: "a", start: .zero, length: .one) }
            var moved = adBreak
            for index in moved.ads.indices { moved.ads[index].start = .one }
            let answer = listed([adBreak, moved])
            return {
                var listing = Listing()
                listing.add(answer)
            }
        },
        GrowthCase("listing: events and URLs of one break, answer by answer", from: 1_600) { size in
            let answers = (0..<size).map { number in
                var adBreak = breakOfOneID(0)
                adBreak.events = [ListedEvent("start", statedOffset: .zero, urls: ["https://t/\(number)"])]
                adBreak.ads[0].events = (0..<4).map {
                    ListedEvent(
                        "progress", statedOffset: ExactDecimal(Int32(4 * number + $0)),
                        urls: ["https://t/\(number)-\($0)"])
                }
                return listed([adBreak])
            }
            return {
                var queue = YospaceQueue()
                for answer in answers { _ = queue.add(answer) }
            }
        },
        GrowthCase("date ranges: ads beside those of the metadata", from: 2_000) { size in
            let ads = (0..<size).map {
                Ad(name: "a\($0)", start: FedSession.start + .seconds($0), duration: .seconds(1))
            }
            var tracker = AdTracker(AdTracker.Settings(sessionID: "s", mode: .observe))
            let known = ads.map { AdBreak(name: $0.name, start: $0.start, duration: $0.duration, ads: [$0]) }
            _ = tracker.metadataArrived(
                DecodedMetadata(breaks: known), at: Moment(wall: FedSession.start, uptime: .zero))
            let signaled = AdBreak(
                name: "b", start: FedSession.start, duration: .seconds(size), source: .signaling, ads: ads)
            return {
                var beside = tracker
                _ = beside.placed([signaled], by: .signaling, at: Moment(wall: FedSession.start, uptime: .zero))
                var differences = SignaledDifferences()
                _ = differences.findings(in: beside)
            }
        },
        adoption("the metadata has them in one break", from: 1_000) { ads in
            [AdBreak(name: "m", start: FedSession.start, duration: .seconds(ads.count), ads: ads)]
        },
        adoption("the metadata has a break for each", from: 1_000) { ads in
            ads.map { AdBreak(name: $0.name, start: $0.start, duration: $0.duration, ads: [$0]) }
        },
        GrowthCase("bids: bids of seats", from: 1_000) { size in
            let bids = (0..<size).map {
                "{\"seat\":\"s\($0)\",\"bid\":[{\"id\":\"b\($0)\",\"impid\":\"i\($0)\",\"price\":\($0),\"adomain\":[\"d\($0).example\"],\"ext\":{\"prebid\":{\"targeting\":{\"hb_pb\":\"1\",\"hb_bidder\":\"b\"}}}}]}"
            }.joined(separator: ",")
            let body = Array("{\"id\":\"r\",\"cur\":\"USD\",\"seatbid\":[\(bids)]}".utf8)
            return {
                guard let json = try? JSONReader.read(body) else { preconditionFailure("not JSON") }
                _ = PrebidAnswer(json, requiresCacheID: false)
            }
        },
    ]

    /// Ads that only date ranges list, and then metadata does.
    private static func adoption(
        _ name: String, from size: Int, _ known: @escaping @Sendable ([Ad]) -> [AdBreak]
    ) -> GrowthCase {
        GrowthCase("date ranges: known ads, \(name)", from: size) { size in
            let ads = (0..<size).map {
                Ad(name: "a\($0)", start: FedSession.start + .seconds($0), duration: .seconds(1))
            }
            let now = Moment(wall: FedSession.start, uptime: .zero)
            var tracker = AdTracker(AdTracker.Settings(sessionID: "s", mode: .observe))
            _ = tracker.placed(
                [AdBreak(name: "b", start: FedSession.start, duration: .seconds(size), source: .signaling, ads: ads)],
                by: .signaling, at: now)
            let document = DecodedMetadata(breaks: known(ads))
            return {
                var adopting = tracker
                _ = adopting.metadataArrived(document, at: now)
            }
        }
    }

    private static func place(_ list: AssetList) {
        guard case .media(let playlist) = PlaylistParser.parse(Array(interstitial.utf8), uri: "https://h/m.m3u8").kind
        else { return }
        var timeline = Timeline()
        _ = timeline.fold(playlist)
        var track = InterstitialTrack()
        track.fold(timeline, playhead: nil)
        track.noteAssetList(list, for: "i")
        guard let entry = track[id: "i"] else { preconditionFailure("no interstitial") }
        _ = InterstitialBreak(entry, list: list, start: FedSession.start)
    }

    private static func listed(_ breaks: [ListedBreak]) -> ListedAnswer {
        var answer = ListedAnswer()
        answer.breaks = breaks
        return answer
    }

    /// Four ads of their own, of a break that comes again and again.
    private static func breakOfOneID(_ number: Int) -> ListedBreak {
        var adBreak = ListedBreak(id: "b", start: .zero, statedDuration: ExactDecimal(10))
        adBreak.ads = (0..<4).map {
            ListedAd(id: "\(number)-\($0)", start: ExactDecimal(Int32(20 * number + 5 * $0)), length: ExactDecimal(5))
        }
        return adBreak
    }

    private static let interstitial =
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z\n#EXTINF:4,\ns.ts\n"
        + "#EXT-X-DATERANGE:ID=\"i\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2027-01-01T00:00:00Z\","
        + "X-ASSET-LIST=\"a.json\"\n"

    private static func json(
        _ name: String, from size: Int, _ unit: @escaping @Sendable (Int) -> String
    ) -> GrowthCase {
        GrowthCase("JSON: \(name)", from: size) { size in
            let members = (0..<size).map(unit).joined(separator: ",")
            let text = "{\"adBreaks\":[{\"id\":\"b\",\"startTime\":1,\"duration\":1,\"ads\":[],\(members)}]}"
            var session = started()
            session.metadata = Array(text.utf8)
            return { session.advance(by: .seconds(5)) }
        }
    }
}

extension GrowthCase {
    /// Every case.
    package static let all = metadata + playlists + vast + answers
}
