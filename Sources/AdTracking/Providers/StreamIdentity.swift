package import Ports

/// What a stream without a session identifier is called in the journal: its address without the parts that grant access for
/// a while. They differ at each start, and the stream is the same. So it is however its address is spelled (RFC 3986 section 6.2).
package enum StreamIdentity {
    /// The address in its normal form, without passing parts.
    package static func text(of url: WebURL) -> String {
        // What has another spelling of a valid address is one.
        textAsWritten(of: (try? WebURL(URLNormalForm.of(url.text))) ?? url)
    }

    /// The address as it is spelled, without passing parts: earlier versions called the stream so.
    package static func textAsWritten(of url: WebURL) -> String {
        let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
        let path = segments.filter { !URLParameter.isToken(segment: $0) }.joined(separator: "/")
        let all = QueryItems(url.query)
        var items = QueryItems(nil)
        items.items = zip(all.items, URLParameter.meanings(of: all)).filter { $1?.isPassing != true }.map(\.0)
        let query = items.text.flatMap { $0.isEmpty ? nil : $0 }
        // What is shorter than a valid address is one.
        return (try? url.with(path: path, query: query))?.text ?? url.text
    }
}
