import Ports
import Testing

@testable import Session

@Suite struct SessionNameTests {
    @Test(
        "a session is named after the part of its path by which people know it",
        arguments: [
            ("http://127.0.0.1:18800/s/rush/variant/v1/hls/index.m3u8", "rush"),
            ("https://cdn.example/live/ch7/master.m3u8", "ch7"), ("https://cdn.example/vod-4411.m3u8?x=1", "vod-4411"),
            ("https://cdn.example/out/v1/3f2b9c0d1e4f5a6b7c8d9e0f1a2b3c4d/news/index.m3u8", "news"),
            ("https://cdn.example/session/5e3c1b2a-0d4f-4b6a-9c8e-1f2d3b4a5c6d/master.m3u8", "cdn.example"),
            // What is masked in an address is no name.
            ("https://h.example/linear/hls/pa/event/news/stream/7760003b54a685ae:ATL/master.m3u8", "news"),
            ("https://h.example/news/session/wQx7Zk2LpTq9/index.m3u8", "news"),
            ("https://h.example/news;jsessionid=wQx7Zk2LpTq9.edge", "news"),
            ("https://h.example/hdntl=exp=1~hmac=7a/news/index.m3u8", "news"),
            ("https://news.example/live/index.m3u8", "news.example"), ("https://news.example", "news.example"),
            ("https://news.example/LIVE/V2/Master.m3u8", "news.example"), ("https://cdn.example/video7/x", "x"),
        ])
    func name(_ url: String, _ expected: String) throws {
        let url = try WebURL(url)
        #expect(SessionView.name(of: url) == expected)
    }
}
