import Ports

/// The tries of one beacon, kept as bytes: as values they would take five pieces of memory and ten times as much, and a session keeps
/// thousands of beacons that were sent. Snapshots share the bytes.
///
/// The address that was requested is not among them: each call gets it.
package struct BeaconTries: Hashable, Sendable {
    /// Empty where nothing differs from a beacon that was not claimed.
    private(set) var bytes: [UInt8] = []

    /// Those of a beacon that was not claimed.
    package init() {}

    /// - Parameter bytes: those of other tries.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameters:
    ///   - count: number of tries in the current round, including those that are not kept.
    ///   - late: as ``URLDelivery/late``.
    ///   - url: the address that was requested.
    package init(count: Int, late: Duration?, _ attempts: [BeaconAttempt], of url: String) {
        guard count != 0 || late != nil || !attempts.isEmpty else { return }
        var writer = PackedWriter()
        writer.write(count)
        writer.write(late) { $0.write($1) }
        writer.write(UInt64(attempts.count))
        for attempt in attempts { writer.write(attempt, of: url) }
        bytes = writer.bytes
    }

    /// Number of tries in the current round, including those that are not kept.
    package var count: Int {
        var reader = PackedReader(bytes)
        return reader.int()
    }

    /// As ``URLDelivery/late``.
    package var late: Duration? {
        var reader = PackedReader(bytes)
        _ = reader.int()
        return reader.optional { $0.duration() }
    }

    /// Oldest first.
    package func attempts(of url: String) -> [BeaconAttempt] {
        guard !bytes.isEmpty else { return [] }
        var reader = PackedReader(bytes)
        _ = reader.int()
        _ = reader.optional { $0.duration() }
        return (0..<reader.unsigned()).map { _ in reader.attempt(of: url) }
    }
}

extension PackedWriter {
    fileprivate mutating func write(_ attempt: BeaconAttempt, of url: String) {
        write(attempt.claim.number)
        write(attempt.at)
        write(attempt.answer) { $0.write($1, of: url) }
    }

    private mutating func write(_ answer: BeaconAnswer, of url: String) {
        write(answer.status) { $0.write($1) }
        write(answer.failure) { writer, failure in
            writer.write(failure.kind.rawValue)
            writer.write(failure.message)
            writer.write(failure.rejection?.rawValue, usual: nil)
            writer.write(failure.proxyFault?.rawValue, usual: nil)
        }
        write(UInt64(answer.hops.count))
        for hop in answer.hops {
            write(hop.url, usual: url)
            write(hop.status)
            write(UInt64(hop.fields.count))
            for field in hop.fields {
                write(field.name)
                write(field.value)
            }
        }
        write(answer.contentType, usual: answer.hops.last?.fields["content-type"])
        write(answer.bytes)
        let timings = answer.timings
        for phase in [timings.resolve, timings.connect, timings.wait, timings.receive] {
            write(phase) { $0.write($1) }
        }
        write(timings.total)
    }
}

extension PackedReader {
    fileprivate mutating func attempt(of url: String) -> BeaconAttempt {
        let claim = ClaimID(int())
        let at = moment()
        return BeaconAttempt(claim: claim, at: at, answer: optional { $0.answer(of: url) })
    }

    private mutating func answer(of url: String) -> BeaconAnswer {
        let status = optional { $0.int() }
        let failure = optional { $0.failure() }
        let hops = (0..<unsigned()).map { _ in hop(usual: url) }
        let contentType = text(usual: hops.last?.fields["content-type"])
        let bytes = int()
        let phases = (0..<4).map { _ in optional { $0.int64() } }
        let timings = HTTPExchange.Timings(
            resolve: phases[0], connect: phases[1], wait: phases[2], receive: phases[3], total: int64())
        return BeaconAnswer(
            status: status, failure: failure, hops: hops, timings: timings, contentType: contentType, bytes: bytes)
    }

    private mutating func failure() -> HTTPFailure {
        let kind = HTTPFailure.Kind(rawValue: text()) ?? .protocolError
        let message = text()
        let rejection = text(usual: nil).flatMap(CertificateRejection.init)
        return HTTPFailure(kind, message, rejection: rejection, proxyFault: text(usual: nil).flatMap(ProxyFault.init))
    }

    private mutating func hop(usual url: String) -> HTTPExchange.Hop {
        let url = text(usual: url) ?? ""
        let status = int()
        let fields = (0..<unsigned()).map { _ in
            let name = text()
            return HTTPField(name, text())
        }
        return HTTPExchange.Hop(url: url, status: status, fields: fields)
    }
}
