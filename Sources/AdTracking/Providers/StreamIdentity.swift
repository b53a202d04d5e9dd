package import Ports

/// What a stream without a session identifier is called in the journal: its address without the parts that grant access for
/// a while. They differ at each start, and the stream is the same.
package enum StreamIdentity {
    /// Names of query parameters, in lower case: Akamai, CloudFront, signed URLs of Amazon S3 and Google Cloud Storage, nginx
    /// secure links, Wowza, and plain tokens.
    static let passing: Set<String> = [
        "hdnts", "hdnea", "hdntl", "hmac", "policy", "signature", "key-pair-id", "expires", "expire", "expiry", "exp",
        "token", "access_token", "auth", "auth_key", "authorization", "jwt", "sig", "md5", "hash", "nonce",
        "awsaccesskeyid", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-security-token",
        "x-amz-signature", "x-amz-signedheaders", "googleaccessid", "x-goog-algorithm", "x-goog-credential",
        "x-goog-date", "x-goog-expires", "x-goog-signature", "x-goog-signedheaders", "wowzatokenhash",
        "wowzatokenstarttime", "wowzatokenendtime", "cb", "cachebuster", "rnd", "random", "ts", "timestamp",
    ]
    /// Names at the start of a path segment that is a token, as `/hdntl=exp=…~hmac=…/`.
    private static let tokenSegments = ["hdntl", "hdnts", "hdnea", "token", "exp", "hmac"]

    /// The address without passing parts.
    package static func text(of url: WebURL) -> String {
        let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
        let path = segments.filter { !isToken($0) }.joined(separator: "/")
        var items = QueryItems(url.query)
        items.items.removeAll { passing.contains($0.name.lowercased()) }
        let query = items.text.flatMap { $0.isEmpty ? nil : $0 }
        // What is shorter than a valid address is one.
        return (try? url.with(path: path, query: query))?.text ?? url.text
    }

    private static func isToken(_ segment: Substring) -> Bool {
        let text = segment.lowercased()
        return text.contains("~hmac=") || tokenSegments.contains { text.hasPrefix("\($0)=") }
    }
}
