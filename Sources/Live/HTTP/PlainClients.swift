import AsyncHTTPClient
import Logging
import NIOCore
import Ports

/// The clients of requests on a plain way: the library opens these connections itself. Requests of different clients never share
/// a connection.
struct PlainClients: Sendable {
    /// For the documents of a stream, over HTTP/2 where the server offers it.
    private let stream: Pair
    /// For beacons, over HTTP/1.1: how much of a beacon a server has seen must be known (docs/adr/0026).
    private let beacons: Pair
    /// For all else, over HTTP/1.1.
    private let other: Pair
    /// For documents of a stream that are requested again on a new connection.
    private let fresh: Pair

    private struct Pair {
        var anywhere: HTTPClient
        /// Checks that the peer of each connection is at a public address.
        var publicOnly: HTTPClient
    }

    /// - Parameter common: what all clients have in common.
    init(_ common: HTTPClient.Configuration, group: any EventLoopGroup, logger: Logger) {
        func pair(_ version: HTTPClient.Configuration.HTTPVersion, _ use: ConnectionUse = .kept) -> Pair {
            var configuration = common.limited(to: use)
            configuration.httpVersion = version
            configuration.http1_1ConnectionDebugInitializer = { ConnectionHandlers.add(to: $0) }
            configuration.http2StreamChannelDebugInitializer = { ConnectionHandlers.addToStream($0) }
            configuration.http2ConnectionDebugInitializer = { ConnectionPulse.watch($0) }
            let anywhere = HTTPClient(
                eventLoopGroupProvider: .shared(group), configuration: configuration, backgroundActivityLogger: logger)
            configuration.http1_1ConnectionDebugInitializer = { channel in
                RouteOpening.checkPeer(channel, host: "host").flatMap { ConnectionHandlers.add(to: channel) }
            }
            configuration.http2ConnectionDebugInitializer = { channel in
                RouteOpening.checkPeer(channel, host: "host").flatMap { ConnectionPulse.watch(channel) }
            }
            let publicOnly = HTTPClient(
                eventLoopGroupProvider: .shared(group), configuration: configuration, backgroundActivityLogger: logger)
            return Pair(anywhere: anywhere, publicOnly: publicOnly)
        }
        (stream, other) = (pair(.automatic), pair(.http1Only))
        (beacons, fresh) = (pair(.http1Only, .beacons), pair(.automatic, .fresh))
    }

    /// Every client.
    var all: [HTTPClient] { [stream, beacons, other, fresh].flatMap { [$0.anywhere, $0.publicOnly] } }

    func client(for request: HTTPRequest, _ use: ConnectionUse, reach: AddressRule.Reach) -> HTTPClient {
        let pair =
            switch use {
            case .kept: request.audience == .stream ? stream : other
            case .beacons: beacons
            case .fresh: fresh
            }
        return reach == .publicOnly ? pair.publicOnly : pair.anywhere
    }
}
