import Live
import Ports
import VAST

/// A wrapper chain from a folder: `scenario.json` maps each URL to a file or a status. Nothing is requested over the
/// network.
struct ScenarioTransport: HTTPTransport {
    /// The first URL.
    let entry: String
    /// Most wrapper documents; nil when the scenario sets no limit.
    let maximumWrappers: Int?
    private let answers: [String: Answer]

    private enum Answer: Sendable {
        case body([UInt8])
        case status(Int)
    }

    /// Reads the scenario and every file that it names; throws when one of them cannot be read.
    init(folder: String) throws(CommandFailure) {
        let path = "\(folder)/scenario.json"
        let document: JSONValue
        do {
            document = try JSONReader.read(try FileText.read(path, maximumBytes: Limits.metadataBytes))
        } catch let problem as JSONProblem {
            throw CommandFailure(
                .unreadable, "\(path):\(problem.line):\(problem.column): not JSON: \(problem.message)")
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
        guard let entry = document["entry"]?.stringValue else {
            throw CommandFailure(.unreadable, "\(folder)/scenario.json: no 'entry' (the first URL)")
        }
        self.entry = entry
        maximumWrappers = document["options"]?["max_wrappers"]?.integerValue.flatMap { Int(exactly: $0) }
        var answers: [String: Answer] = [:]
        for member in document["http_status"]?.objectValue?.members ?? [] {
            answers[member.name] = .status(Int(clamping: member.value.integerValue ?? 404))
        }
        for member in document["files"]?.objectValue?.members ?? [] {
            answers[member.name] = .body(try Self.file(member.value.stringValue ?? "", in: folder))
        }
        self.answers = answers
    }

    /// Reads a file of the folder; other paths are rejected because a scenario is a document from outside.
    private static func file(_ name: String, in folder: String) throws(CommandFailure) -> [UInt8] {
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != ".." else {
            throw CommandFailure(.unreadable, "\(folder)/scenario.json: '\(name)' is not a file in the same folder")
        }
        do throws(FileProblem) {
            return try FileText.read("\(folder)/\(name)", maximumBytes: Limits.vastBytes)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
    }

    /// A URL in neither table answers 404; status 0 never answers.
    func send(_ request: HTTPRequest) async -> HTTPExchange {
        switch answers[request.url.text] ?? .status(404) {
        case .body(let bytes): Self.answer(request, 200, bytes)
        case .status(0): HTTPExchange(failure: HTTPFailure(.timeout, "did not answer in time"))
        case .status(let status): Self.answer(request, status, [])
        }
    }

    private static func answer(_ request: HTTPRequest, _ status: Int, _ body: [UInt8]) -> HTTPExchange {
        HTTPExchange(hops: [.init(url: request.url.text, status: status, fields: [])], body: body)
    }
}
