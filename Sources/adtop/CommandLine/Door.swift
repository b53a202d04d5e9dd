import Ports

/// What may be written in the place of a verb: `adtop URL`, `adtop URL1 URL2`, `adtop session.adtop`.
enum Door: Equatable, Sendable {
    case stream(WebURL)
    case streams([WebURL])
    case recording(String)

    /// Reads the arguments. Throws one sentence that names what was meant.
    /// - Parameters:
    ///   - verbs: names that may be meant by a mistyped word.
    ///   - kind: looks at a file; nil when there is none.
    init(
        _ places: [String], verbs: [String] = [],
        kind: (String) throws(CommandFailure) -> FileKind? = FileKind.of
    ) throws(CommandFailure) {
        guard let first = places.first else {
            throw CommandFailure(.usage, "no stream: give its URL, or see adtop --help")
        }
        var urls: [WebURL] = []
        for place in places {
            do throws(WebURLProblem) {
                urls.append(try WebURL(place))
            } catch {
                guard let found = try kind(place) else { throw Self.failure(place, error, verbs) }
                guard found == .recording, places.count == 1 else {
                    throw CommandFailure(.usage, "'\(place)' is \(found.advice(place))")
                }
                self = .recording(first)
                return
            }
        }
        self = urls.count == 1 ? .stream(urls[0]) : .streams(urls)
    }

    /// The error for a first argument that is nothing known; nil for a verb, an option, and for what is known.
    static func failure(in arguments: [String], verbs: [String]) -> CommandFailure? {
        guard let first = arguments.first, !first.hasPrefix("-"), !verbs.contains(first) else { return nil }
        do throws(CommandFailure) {
            _ = try Door([first], verbs: verbs)
            return nil
        } catch {
            return error
        }
    }

    /// The error for a word that is neither a URL nor a file.
    private static func failure(_ place: String, _ problem: WebURLProblem, _ verbs: [String]) -> CommandFailure {
        CommandFailure(.usage, "'\(shown(place))' \(explanation(of: place, problem, verbs))")
    }

    /// Without a password, also where the scheme is missing.
    private static func shown(_ place: String) -> String {
        place.contains("://")
            ? Redaction.url(place) : String(Redaction.url("http://\(place)").dropFirst("http://".count))
    }

    private static func explanation(of place: String, _ problem: WebURLProblem, _ verbs: [String]) -> String {
        let host = place.prefix { $0 != "/" }
        switch problem {
        case .notHTTP("file"): return "is a file URL; give the path of a recording, or see adtop --help"
        case .notHTTP(let scheme?) where place.hasPrefix("\(scheme)://"):
            return "has the scheme '\(scheme)'; adtop follows HLS over http and https"
        // A host and its port look like a scheme.
        case .notHTTP where host.contains(":") || host.contains(".") && place.contains("/"):
            return "has no scheme; try \(host.contains(":") ? "http" : "https")://\(shown(place))"
        case .notHTTP:
            let similar = SimilarNames.nearest(to: place, in: verbs, count: 1)
            return similar.first.map { "is not a verb; did you mean '\($0)'? See adtop --help" }
                ?? "is neither a verb, a file nor an http(s) URL; see adtop --help"
        default: return "\(problem.explanation); give the URL of a stream, or see adtop --help"
        }
    }
}
