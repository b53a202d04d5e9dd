import CreativeCache
import Ports
import VAST

/// Downloads the video of a rewarded zone and measures the time: the next choice of a quality depends on it.
struct ZoneDownload {
    var zone: String
    /// URL of the ad response that names the video.
    var sourceURL: String
    var response: [UInt8]
    var rendition: Rendition
    var quality: Quality
    var time: any TimeSource
    /// Nil for the User-Agent of the transport.
    var userAgent: String?
    var addressRule = AddressRule.anywhere

    /// A video may take longer than an ad response.
    private static let timeout: Duration = .seconds(120)

    /// Returns the video and the record to keep beside it.
    func run(_ transport: any HTTPTransport) async throws(ZoneFailure) -> (record: ZoneRecord, media: [UInt8]) {
        let url: WebURL
        do throws(WebURLProblem) {
            url = try WebURL(PercentEncoding.requestTarget(rendition.url))
        } catch {
            throw ZoneFailure(.findings, "the media file's URL '\(rendition.url)' \(error.explanation)", vastCode: 401)
        }
        var request = HTTPRequest(
            url: url, fields: userAgent.map { [HTTPField("User-Agent", $0)] } ?? [],
            maximumBodyBytes: ZonePlan.maximumMediaBytes, addressRule: addressRule)
        request.totalTimeout = Self.timeout
        let exchange = await transport.send(request)
        guard exchange.isSuccess else {
            throw ZoneFailure(
                .network, "\(url): \(ZoneFailure.clause(exchange))", vastCode: exchange.mediaErrorCode)
        }
        guard ZonePlan.isMedia(contentType: exchange.contentType) else {
            throw ZoneFailure(
                .findings, "\(url): not a video (\(exchange.contentType ?? "no content type"))", vastCode: 405)
        }
        let record = ZoneRecord(
            zone: zone, storedAt: time.now().wall, sourceURL: sourceURL, response: response,
            mediaURL: url.text, mediaType: exchange.contentType, mediaBytes: exchange.body.count,
            measurement: DownloadMeasurement(
                seconds: Double(exchange.timings.total) / 1_000_000, quality: quality, bytes: exchange.body.count),
            etag: exchange.fields["etag"])
        return (record, exchange.body)
    }
}

/// Why a zone is not warm.
struct ZoneFailure: Error {
    var status: ExitStatus
    var clause: String
    /// The VAST error code that a player would report.
    var vastCode: Int

    init(_ status: ExitStatus, _ clause: String, vastCode: Int = 900) {
        self.status = status
        self.clause = clause
        self.vastCode = vastCode
    }

    /// Why an answer cannot be used.
    static func clause(_ exchange: HTTPExchange) -> String {
        exchange.failure?.message ?? "the server answered \(exchange.status ?? 0)"
    }
}
