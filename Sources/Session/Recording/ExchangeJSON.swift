import Ports

/// HTTP exchanges in recordings.
extension HTTPExchange: RecordedObject {
    static var blank: HTTPExchange {
        HTTPExchange(hops: [], failure: nil, body: [], isBodyCut: false, bodyBytes: 0, timings: .blank)
    }

    mutating func code(_ members: inout MemberCoder) {
        members.code("hops", &hops)
        members.codeIfPresent("failure", &failure)
        members.code(text: "body", hex: "bodyHex", &body)
        members.code("isBodyCut", &isBodyCut)
        members.code("bodyBytes", &bodyBytes)
        members.code("timings", &timings)
        members.codeIfPresent("httpVersion", &version)
        members.codeIfPresent("sentAfterUs", &sentAfter)
    }
}

extension HTTPExchange.Hop: RecordedObject {
    static var blank: HTTPExchange.Hop { HTTPExchange.Hop(url: "", status: 0, fields: []) }

    mutating func code(_ members: inout MemberCoder) {
        members.code("url", &url)
        members.code("status", &status)
        members.code("fields", &fields)
    }
}

extension HTTPExchange.Timings: RecordedObject {
    static var blank: HTTPExchange.Timings { HTTPExchange.Timings(total: 0) }

    mutating func code(_ members: inout MemberCoder) {
        members.code("resolveUs", &resolve)
        members.code("connectUs", &connect)
        members.code("waitUs", &wait)
        members.code("receiveUs", &receive)
        members.code("totalUs", &total)
    }
}

extension HTTPFailure: RecordedObject {
    static var blank: HTTPFailure { HTTPFailure(.cancelled, "") }

    mutating func code(_ members: inout MemberCoder) {
        members.code("kind", &kind)
        members.code("message", &message)
        members.codeIfPresent("rejection", &rejection)
        members.codeIfPresent("proxyFault", &proxyFault)
    }
}
