import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Ports
import Testing

@testable import Live

/// Whether a request may have arrived: what the errors of the client library mean before and after it was written (TRK-15).
@Suite struct FailureWordingTests {
    private func failure(_ error: any Error, wasSent: Bool, isSecure: Bool = true) throws -> HTTPFailure {
        var record = HopDelegate.Record()
        if wasSent { record.requestSent = .now() }
        let request = HTTPRequest(url: try WebURL("https://h.test/"), maximumBodyBytes: 10)
        return FailureWording.failure(for: error, record: record, request: request, isSecure: isSecure)
    }

    /// Its connection, or that of another request that waited for one to the same host.
    @Test func aConnectionLostBeforeTheRequestTookNothingOfIt() throws {
        let channel: [ChannelError] = [.ioOnClosedChannel, .alreadyClosed, .eof]
        let system = [ECONNRESET, EPIPE].map { IOError(errnoCode: $0, reason: "read") }
        for error in channel as [any Error] + system {
            let message = "connection lost before the request was sent"
            #expect(try failure(error, wasSent: false) == HTTPFailure(.tls, message))
            #expect(try failure(error, wasSent: false, isSecure: false) == HTTPFailure(.connect, message))
            #expect(try failure(error, wasSent: true).kind == .reset)
        }
    }

    /// The client notes a request after it wrote the head, so it may have left in part where it is not noted.
    @Test(arguments: [false, true]) func aRequestWhoseWriteFailedMayHaveArrived(wasSent: Bool) throws {
        let errors: [any Error] = [HTTPClientError.remoteConnectionClosed, HTTPParserError.invalidEOFState]
        for error in errors { #expect(try failure(error, wasSent: wasSent).kind == .reset) }
    }

    /// Other failures of a connection have their own words already.
    @Test func otherFailuresKeepTheirWords() throws {
        let refused = try failure(IOError(errnoCode: ECONNREFUSED, reason: "connect"), wasSent: false)
        #expect(refused == HTTPFailure(.connect, "connection refused"))
        #expect(try failure(HTTPClientError.cancelled, wasSent: false).kind == .cancelled)
        #expect(try failure(HTTPClientError.deadlineExceeded, wasSent: false).kind == .connectTimeout)
    }
}
