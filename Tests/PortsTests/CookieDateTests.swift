import Ports
import Testing

/// RFC 6265 section 5.1.1.
@Suite struct CookieDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
        ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z"),
        ("06 nOvember 1994 8:49:37", "1994-11-06T08:49:37.000Z"),
        ("08:49:37 6 Nov 1994 ignored 7 Dec 2001 09:00:00", "1994-11-06T08:49:37.000Z"),
        ("Wed, 31-Dec-69 23:59:59 GMT", "2069-12-31T23:59:59.000Z"),
        ("Thu, 01-Jan-70 00:00:00 GMT", "1970-01-01T00:00:00.000Z"),
        ("Thu, 01-Jan-099 00:00:00 GMT", "1999-01-01T00:00:00.000Z"),
        ("Thu, 29 Feb 2024 00:00:59 +0300", "2024-02-29T00:00:59.000Z"),
        ("31st/Dec@9999 23:59:59x", "9999-12-31T23:59:59.000Z"),
        ("1 Jan 1601 0:0:0", "1601-01-01T00:00:00.000Z"),
    ])
    func formsOfServers(text: String, expected: String) {
        #expect(CookieDate.read(text)?.iso8601 == expected)
    }

    @Test(arguments: [
        "", "nonsense", "Sun, 06 Nov 1994", "06 Nov 1994 24:00:00", "06 Nov 1994 08:60:00", "06 Nov 1994 08:49:60",
        "32 Dec 2020 00:00:00", "0 Dec 2020 00:00:00", "31 Apr 2020 00:00:00", "29 Feb 2023 00:00:00",
        "1 Jan 1600 00:00:00", "1 Jan 20200 00:00:00", "1 Jan 2020 000:00:00", "1 Jan 2020 00:00",
        "1 Foo 2020 00:00:00",
        "1 Jan 2020 0:0:000", "1 Jan 2020 :0:0",
    ])
    func otherTextsAreNoDates(text: String) {
        #expect(CookieDate.read(text) == nil)
    }
}
