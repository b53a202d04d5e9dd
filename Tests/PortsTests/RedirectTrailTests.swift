import Ports
import Testing

@Suite struct RedirectTrailTests {
    /// What a request that goes to these addresses in turn is admitted to.
    private func admitted(_ course: [(HTTPMethod, String, cookie: String?)]) throws -> [Bool] {
        var trail = RedirectTrail()
        var admitted: [Bool] = []
        for hop in course { admitted.append(trail.admits(hop.0, try WebURL(hop.1), cookie: hop.cookie)) }
        return admitted
    }

    /// Case of the host, the default port and the fragment do not make another address.
    @Test(arguments: ["http://t.example/a?x=1", "http://T.example:80/a?x=1#f"])
    func anAddressIsRequestedOnce(_ again: String) throws {
        #expect(try admitted([(.get, "http://t.example/a?x=1", nil), (.get, again, nil)]) == [true, false])
    }

    /// Trackers that redirect to themselves write the address anew.
    @Test(arguments: [("/a?u=b|c", "/a?u=b%7Cc"), ("/a?v[]=1", "/a?v%5B%5D=1"), ("/5%", "/5%25"), ("?x=1", "/?x=1")])
    func whatIsSentAlikeIsOneAddress(written: String, again: String) throws {
        let host = "http://t.example"
        #expect(try admitted([(.get, host + written, nil), (.get, host + again, nil)]) == [true, false])
    }

    @Test(arguments: [
        "https://t.example/a?x=1", "http://t.example/a?x=2", "http://t.example/a", "http://u.example/a?x=1",
    ])
    func othersAreFollowed(_ other: String) throws {
        #expect(try admitted([(.get, "http://t.example/a?x=1", nil), (.get, other, nil)]) == [true, true])
    }

    @Test func anotherMethodIsAnotherRequest() throws {
        #expect(try admitted([(.post, "http://t.example/a", nil), (.get, "http://t.example/a", nil)]) == [true, true])
    }

    @Test func anEmptyPathIsTheRoot() throws {
        #expect(try admitted([(.get, "http://t.example", nil), (.get, "http://t.example/", nil)]) == [true, false])
    }

    /// - Parameters:
    ///   - set: the names of cookies that the answers set.
    private func repeated(_ cookies: [String?], set: String...) throws -> [Bool] {
        var trail = RedirectTrail()
        var admitted: [Bool] = []
        for cookie in cookies {
            admitted.append(trail.admits(.get, try WebURL("http://t.example/a"), cookie: cookie))
            trail.answered(set.map { HTTPField("Set-Cookie", "\($0)=x; Path=/") })
        }
        return admitted
    }

    @Test func aCookieIsTriedOnce() throws {
        #expect(try repeated([nil, "t=1", "t=2", nil], set: "t") == [true, true, false, false])
        #expect(try repeated(["u=1; t=1", "t=2;u=1"], set: "v", "t") == [true, true])
    }

    /// Another tracker's answer may set a cookie for the same host between the hops of a beacon.
    @Test func aCookieOfAnotherAnswerIsNoReason() throws {
        #expect(try repeated([nil, "t=1"]) == [true, false])
        #expect(try repeated(["t=1", "t=2; u=1"], set: "v") == [true, false])
    }

    @Test func theSameValueAgainIsNoReason() throws {
        #expect(try repeated(["t=1", "t=1; u=2"], set: "t") == [true, false])
    }
}
