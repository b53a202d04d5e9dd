import Ports
import TestSupport
import Testing

@testable import AdTracking

@Suite struct StreamIdentityTests {
    @Test(arguments: [
        "https://h/live/a.m3u8?hdnts=exp=1~hmac=a", "https://h/live/a.m3u8?Signature=x&Policy=y&Key-Pair-Id=z",
        "https://h/live/a.m3u8?token=17_ab&expires=17", "https://h/hdntl=exp=17~acl=%2f*~hmac=ab/live/a.m3u8",
        "https://h/live/a.m3u8?X-Amz-Signature=a&X-Amz-Date=b&X-Amz-Credential=c", "https://h/live/a.m3u8?cb=4711",
        "https://h/live/a.m3u8?api-key=k&auth-token=t", "https://h/live/a.m3u8?apikey=k",
        "https://h/live/a.m3u8?api_key=k", "https://h/live/a.m3u8?fastly_token=1_ab&bcov_auth=eyJ",
    ])
    func whatGrantsAccessForAWhileIsNoPartOfIt(url: String) throws {
        #expect(StreamIdentity.text(of: try WebURL(url)) == "https://h/live/a.m3u8")
    }

    @Test(arguments: [
        "https://h/live/a.m3u8", "https://h/live/a.m3u8?channel=7", "https://h/live/b.m3u8?uid=42",
        "http://h:8080/a/?x=1&y=2", "http://h/a?e=7&h=720", "http://h/a?st=main", "http://h/a?sign=leo&e=2",
        "http://h/a?t=30", "http://h/a?sp=1&se=2",
        "http://h/a?auth_token=t", "http://h/a?authtoken=t", "http://h/a?accesstoken=t&access-token=t",
        "http://h/a?session_token=t&sessiontoken=t", "http://h/a?passwd=p", "http://h/a?x-api-key=k&x-auth-token=t",
        "http://h/a?stream_id=s:ATL&session_id=i&ppid=p",
    ])
    func everythingElseIs(url: String) throws {
        #expect(StreamIdentity.text(of: try WebURL(url)) == url)
    }

    @Test(arguments: SignedURL.all) func noTokenOfANetworkIs(url: SignedURL) throws {
        let seed: UInt64 = 12
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let drawn = url.drawn(from: &random)
            #expect(StreamIdentity.text(of: try WebURL(drawn.signed)) == drawn.plain, "\(drawn.signed)")
        }
    }

    /// RFC 3986 sections 6.2.2 and 6.2.3, as for beacons.
    @Test(arguments: [
        "HTTP://h/live/a.m3u8", "http://H/live/a.m3u8", "http://h:80/live/a.m3u8", "http://h:/live/a.m3u8",
        "http://h/live/%61.m3u8", "http://h/x/../live/./a.m3u8", "HTTP://H:80/live/a.m3u8?token=17_ab#top",
    ])
    func theSpellingMakesNoDifference(url: String) throws {
        #expect(StreamIdentity.text(of: try WebURL(url)) == "http://h/live/a.m3u8")
    }

    /// Scheme, port and case of the path are another address; an escape that a URL needs stays one.
    @Test(arguments: [
        "https://h/live/a.m3u8", "http://h:443/live/a.m3u8", "http://h/Live/a.m3u8", "http://h/live%2Fa.m3u8",
        "http://h//live/a.m3u8",
    ])
    func whatMayBeAnotherResourceIsAnother(url: String) throws {
        #expect(StreamIdentity.text(of: try WebURL(url)) == url)
    }

    @Test func earlierVersionsKeptTheSpelling() throws {
        let url = try WebURL("HTTP://H:80/live/%61.m3u8?token=17_ab&x=%2f")
        #expect(StreamIdentity.textAsWritten(of: url) == "HTTP://H:80/live/%61.m3u8?x=%2f")
        #expect(StreamIdentity.text(of: url) == "http://h/live/a.m3u8?x=%2F")
    }

    @Test func theRestOfTheQueryStays() throws {
        #expect(
            StreamIdentity.text(of: try WebURL("https://h/a.m3u8?channel=7&hdnts=x&lang=de"))
                == "https://h/a.m3u8?channel=7&lang=de")
    }
}
