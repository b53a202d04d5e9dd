import AsyncHTTPClient
import Foundation
import GRDB
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Ports
import Testing

@testable import Live

/// No error of a library reaches a person in its own words.
@Suite struct ErrorTextTests {
    /// What betrays a library: its name, a type, a number of its own, or a sentence of Foundation.
    static func expectOurs(_ text: String, of error: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let foreign = [
            "Error", "errno", "NSCocoa", "NIO", "SQLITE", "SQLite", "HTTPClient", "BoringSSL", "could not",
            "couldn’t", "operation", "Optional", "(", "descriptor", "swift", "::", "_",
        ]
        let found = foreign.filter { text.contains($0) }
        #expect(found.isEmpty, "\(error): \(text)", sourceLocation: sourceLocation)
        #expect(!text.isEmpty && text.count <= 120, "\(error): \(text)", sourceLocation: sourceLocation)
        #expect(!text.contains("\n") && !text.hasSuffix("."), "\(error): \(text)", sourceLocation: sourceLocation)
        #expect(
            text.first?.isUppercase == false || text.hasPrefix("TLS"), "\(error): \(text)",
            sourceLocation: sourceLocation)
    }

    private static let request = try? HTTPRequest(url: WebURL("http://h.test/"), maximumBodyBytes: 10)

    /// What a request reports, before and after it was written.
    private func failures(_ error: any Error) throws -> [HTTPFailure] {
        let request = try #require(Self.request)
        var sent = HopDelegate.Record()
        sent.requestSent = .now()
        return [HopDelegate.Record(), sent].map { FailureWording.failure(for: error, record: $0, request: request) }
    }

    private func expectOurs(_ error: any Error) throws {
        for failure in try failures(error) {
            // The clauses about certificates and the bounds of answers have parentheses of ours.
            let text = failure.message.replacing("(407)", with: "").replacing(
                "(expired, self-signed or of an unknown issuer)", with: "")
            Self.expectOurs(text, of: "\(error)")
        }
        Self.expectOurs(ForeignErrorText.clause(error), of: "\(error)")
    }

    @Test func everyErrorOfTheHTTPClient() throws {
        let errors: [HTTPClientError] = [
            .invalidURL, .emptyHost, .missingSocketPath, .alreadyShutdown, .emptyScheme, .unsupportedScheme("gopher"),
            .readTimeout, .writeTimeout, .remoteConnectionClosed, .cancelled, .identityCodingIncorrectlyPresent,
            .invalidProxyResponse, .contentLengthMissing, .proxyAuthenticationRequired, .redirectLimitReached,
            .redirectCycleDetected, .uncleanShutdown, .traceRequestWithBody, .invalidHeaderFieldNames(["a b"]),
            .invalidHeaderFieldValues(["\u{0}"]), .bodyLengthMismatch, .writeAfterRequestSent, .connectTimeout,
            .socksHandshakeTimeout, .httpProxyHandshakeTimeout, .tlsHandshakeTimeout,
            .serverOfferedUnsupportedApplicationProtocol("h3"), .shutdownUnsupported, .deadlineExceeded,
            .requestStreamCancelled, .getConnectionFromPoolTimeout, .invalidRedirectConfiguration,
            .invalidHTTPVersionConfiguration, .invalidDNSOverridesConfiguration, .invalidLocalAddress,
            .invalidProxyConfiguration, .internalStateFailure(),
        ]
        for error in errors { try expectOurs(error) }
    }

    @Test func everyErrorOfTheNetworkLibrary() throws {
        let address = try SocketAddress(ipAddress: "192.0.2.1", port: 1)
        let channel: [ChannelError] = [
            .connectPending, .connectTimeout(.seconds(1)), .operationUnsupported, .ioOnClosedChannel, .alreadyClosed,
            .outputClosed, .inputClosed, .eof, .writeMessageTooLarge, .writeHostUnreachable, .unknownLocalAddress,
            .badMulticastGroupAddressFamily, .badInterfaceAddressFamily, .illegalMulticastAddress(address),
            .inappropriateOperationForState, .unremovableHandler,
        ]
        let addresses: [any Error] = [
            SocketAddressError.unsupported,
            SocketAddressError.unixDomainSocketPathTooLong, SocketAddressError.failedToParseIPString("x"),
            EventLoopError.shutdown, EventLoopError.cancelled, EventLoopError.unsupportedOperation,
            NIOThreadPoolError.ThreadPoolInactive(), NIOTooManyBytesError(maxBytes: 1),
            ByteToMessageDecoderError.PayloadTooLargeError(),
        ]
        for error in channel as [any Error] + addresses { try expectOurs(error) }
        for code in Int32(1)...133 { try expectOurs(IOError(errnoCode: code, reason: "bind(descriptor:ptr:bytes:)")) }
    }

    @Test func everyErrorOfTheHTTPParser() throws {
        let errors: [HTTPParserError] = [
            .invalidCharactersUsed, .trailingGarbage, .invalidEOFState, .headerOverflow, .closedConnection,
            .invalidVersion, .invalidStatus, .invalidMethod, .invalidURL,
            .lfExpected, .invalidHeaderToken, .invalidContentLength,
            .unexpectedContentLength, .invalidChunkSize, .invalidConstant, .invalidInternalState, .strictModeAssertion,
            .paused, .unknown,
        ]
        for error in errors { try expectOurs(error) }
    }

    @Test func everyErrorOfHTTP2() throws {
        let stream = HTTP2StreamID(1)
        let errors: [any Error] = [
            NIOHTTP2Errors.streamClosed(streamID: stream, errorCode: .refusedStream),
            NIOHTTP2Errors.noSuchStream(streamID: stream), NIOHTTP2Errors.ioOnClosedConnection(),
            NIOHTTP2Errors.createdStreamAfterGoaway(), NIOHTTP2Errors.badClientMagic(),
            NIOHTTP2Errors.flowControlViolation(), NIOHTTP2Errors.receivedBadSettings(),
            NIOHTTP2Errors.maxStreamsViolation(), NIOHTTP2Errors.missingPreface(),
            NIOHTTP2Errors.unableToParseFrame(), NIOHTTP2Errors.contentLengthViolated(),
            NIOHTTP2Errors.excessiveEmptyDataFrames(), NIOHTTP2Errors.excessivelyLargeHeaderBlock(),
            NIOHTTP2Errors.excessiveRSTFrames(), NIOHTTP2Errors.unsupported(info: "x"),
            NIOHTTP2Errors.invalidStatusValue("2000"), NIOHTTP2Errors.missingPseudoHeader(":status"),
            NIOHTTP2Errors.streamError(streamID: stream, baseError: NIOHTTP2Errors.badClientMagic()),
        ]
        for error in errors { try expectOurs(error) }
    }

    @Test func everyErrorOfTLS() throws {
        let inner: [BoringSSLError] = [
            .noError, .zeroReturn, .wantRead, .wantWrite, .wantConnect, .wantAccept, .wantX509Lookup,
            .wantCertificateVerify, .syscallError, .sslError([.eofDuringHandshake]), .unknownError([]),
            .invalidSNIName([]), .failedToSetALPN([]),
        ]
        let outer: [NIOSSLError] = [
            .writeDuringTLSShutdown, .noSuchFilesystemObject, .failedToLoadCertificate, .failedToLoadPrivateKey,
            .cannotMatchULabel, .noCertificateToValidate, .unableToValidateCertificate, .cannotFindPeerIP,
            .readInInvalidTLSState, .uncleanShutdown,
        ]
        let more: [any Error] = [
            NIOSSLExtraError.failedToValidateHostname, NIOSSLExtraError.serverHostnameImpossibleToMatch,
            NIOSSLExtraError.cannotUseIPAddressInSNI, NIOSSLExtraError.invalidSNIHostname,
            NIOSSLExtraError.unknownPrivateKeyFileType,
        ]
        let wrapped = inner.map { NIOSSLError.handshakeFailed($0) } + inner.map { NIOSSLError.shutdownFailed($0) }
        for error in inner as [any Error] + outer + more + wrapped {
            try expectOurs(error)
            let text = FailureWording.handshake(error, with: "").message
                .replacing("(expired, self-signed or of an unknown issuer)", with: "")
            Self.expectOurs(text, of: "\(error)")
        }
    }

    /// The library keeps the initialiser of this error to itself, so real connections fail.
    @Test(arguments: [("127.0.0.1", "connection refused"), ("name.invalid", "no such host")])
    func everyErrorOfAConnection(host: String, words: String) async throws {
        let thrown = await #expect(throws: NIOConnectionError.self) {
            // Nothing listens on the first port.
            _ = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: host, port: 1)
                .get()
        }
        let error = try #require(thrown)
        try expectOurs(error)
        #expect(try failures(error).map(\.message) == [words, words])
        #expect(ForeignErrorText.clause(error) == "no connection")
    }

    @Test func everyStopOfABody() throws {
        let stops: [(HopDelegate.Stop, HTTPFailure)] = [
            (.bodyTooLarge, HTTPFailure(.bodyTooLarge, "body is longer than 10 bytes")),
            (.inflatedTooLarge, HTTPFailure(.bodyTooLarge, "compressed body is too large when inflated")),
            (.bodyBroken, HTTPFailure(.protocolError, "compressed body is broken")),
        ]
        for (stop, failure) in stops {
            Self.expectOurs(failure.message, of: "\(stop)")
            #expect(try failures(stop) == [failure, failure], "\(stop)")
        }
    }

    /// A value that is absent where the table has one, as in a damaged file.
    @Test func aRowThatCannotBeRead() throws {
        let thrown = #expect(throws: RowDecodingError.self) {
            _ = try DatabaseQueue().read { try Int.fetchAll($0, sql: "SELECT NULL") }
        }
        let error = try #require(thrown)
        let words = "is damaged (a value has the wrong type)"
        #expect(DatabaseErrorText.clause(error) == words && DatabaseErrorText.sentence(error) == words)
        #expect(ForeignErrorText.clause(error) == "a database \(words)")
    }

    /// All primary codes with all extended ones, those without a name too.
    @Test func everyErrorOfTheDatabase() {
        for primary in Array(Int32(0)...28) + [100, 101] {
            for extended in Int32(0)...40 {
                let error = DatabaseError(
                    resultCode: ResultCode(rawValue: primary | extended << 8), message: "SQLITE says: no such thing")
                let text = DatabaseErrorText.sentence(error).replacing("--journal", with: "")
                Self.expectOurs(text, of: "\(error)")
                #expect(text == DatabaseErrorText.clause(error) || text.split(separator: "; ").count == 2)
                Self.expectOurs(ForeignErrorText.clause(error), of: "\(error)")
            }
        }
    }

    @Test func everyErrorOfFoundation() {
        for code in 0...5_000 {
            let error = CocoaError(CocoaError.Code(rawValue: code), userInfo: [NSFilePathErrorKey: "/nope/x"])
            let text = ForeignErrorText.clause(error)
            Self.expectOurs(text, of: "\(code)")
            #expect(text.hasPrefix("/nope/x: "))
        }
        for code in Int32(1)...133 {
            guard let posix = POSIXErrorCode(rawValue: code) else { continue }
            Self.expectOurs(ForeignErrorText.clause(POSIXError(posix)), of: "\(code)")
            let beneath = CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(posix)])
            #expect(ForeignErrorText.clause(beneath) == SystemErrorText.words(code))
        }
        struct Odd: Error {}
        for error in [Odd(), URLError(.badServerResponse), CancellationError()] as [any Error] {
            #expect([ForeignErrorText.unknown, "cancelled"].contains(ForeignErrorText.clause(error)))
        }
    }

    @Test func everyErrorOfTheSystem() {
        for code in Int32(1)...133 {
            Self.expectOurs(SystemErrorText.words(code), of: "\(code)")
            let text = ListenProblem(port: 80, code: code).text(flag: "--port")
            Self.expectOurs(String(text.prefix { $0 != "(" }), of: "\(code)")
            #expect(text.contains("; ") && (text.contains("--port") || text.contains("address of this computer")))
        }
        for code in Int32(-20)...20 {
            Self.expectOurs(HostResolver.explanation(of: code, system: EIO), of: "resolver \(code)")
        }
    }
}
