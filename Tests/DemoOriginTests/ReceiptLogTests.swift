import Testing

@testable import DemoOrigin

@Suite struct ReceiptLogTests {
    private func receipt(_ target: String, status: Int? = 204, event: String = "start", session: String = "s")
        -> Receipt
    {
        Receipt(
            atMs: 0, scenario: "x", session: session, breakId: "7", adId: "a", event: event, urlIndex: 1,
            target: target,
            method: "GET", userAgent: nil, status: status, hop: 0, attempt: 1, isRetry: false)
    }

    @Test func theOldestMakeRoomAndAreCounted() {
        var log = ReceiptLog(capacity: 3)
        for index in 0..<8 { log.append(receipt("/\(index)")) }
        #expect(log.receipts.map(\.target) == ["/5", "/6", "/7"])
        #expect(log.dropped == 5)
        #expect(log.history(of: "/4") == ReceiptLog.History())
        #expect(log.history(of: "/5").attempts == 1)
    }

    @Test func aUrlIsRememberedAsLongAsOneOfItsReceiptsIs() {
        var log = ReceiptLog(capacity: 2)
        for target in ["/a", "/a", "/b", "/a"] { log.append(receipt(target)) }
        #expect(log.receipts.map(\.attempt) == [1, 3])
    }

    @Test func clearForgetsEverythingButTheCapacity() {
        var log = ReceiptLog(capacity: 1)
        log.append(receipt("/a"))
        log.append(receipt("/a"))
        log.clear()
        log.append(receipt("/a"))
        #expect(log.capacity == 1 && log.dropped == 0)
        #expect(log.receipts.map(\.isDuplicate) == [false])
    }

    @Test func theDocumentCountsWhatItLists() {
        var log = ReceiptLog()
        log.append(receipt("/a", status: nil))
        log.append(receipt("/a"))
        log.append(receipt("/b", event: "pause"))
        log.append(receipt("/c", session: "other"))
        let all = log.document(matching: QueryItems(""))
        #expect(all["schema"] == .string("adtop-receipts/1"))
        #expect(all["count"] == .integer(4) && all["duplicates"] == .integer(1) && all["retries"] == .integer(1))
        #expect(all["receipts"]?.items.first?["status"] == .null)
        #expect(
            log.document(matching: QueryItems("event=pause"))["receipts"]?.items.map { $0["url"] } == [.string("/b")])
        #expect(log.document(matching: QueryItems("event=start&sessid=other"))["count"] == .integer(1))
        #expect(log.document(matching: QueryItems("break=8"))["count"] == .integer(0))
        #expect(log.document(matching: QueryItems("scenario=x&ad=a"))["count"] == .integer(4))
    }
}
