import Ports

/// How networks for delivery sign URLs, from their public documentation: the sheet that the program's own table of names
/// (`URLParameter`) is held against.
package struct SignedURL: Sendable, CustomStringConvertible {
    /// Who describes this form.
    package let network: String
    /// Its query. `§` is a secret, `#` a time.
    private let query: String
    /// The path segment that has the token, where it is in the path.
    private let segment: String

    private init(_ network: String, _ query: String, segment: String = "") {
        (self.network, self.query, self.segment) = (network, query, segment)
    }

    package var description: String { network }
    /// In each secret.
    package static let mark = "S3CRET"

    package static let all = [
        SignedURL("Akamai, token authentication 2.0", "hdnts=st=#~exp=#~acl=/*~hmac=§"),
        SignedURL("Akamai, for Adaptive Media Delivery", "hdnea=exp=#~acl=/*~id=§~hmac=§"),
        SignedURL("Akamai, the default name of its generators", "__token__=exp=#~acl=%2f*~hmac=§"),
        SignedURL("Akamai, a configured name", "tok=exp=#~acl=/*~hmac=§"),
        SignedURL("Akamai, a configured name, escaped", "access=exp%3D#%7Eacl%3D%2f%2a%7Ehmac%3D§"),
        SignedURL("Akamai, token authentication 1.0", "__gda__=#_§"),
        SignedURL("Akamai, in the path", "", segment: "hdntl=exp=#~acl=%2f*~data=hdntl~hmac=§"),
        SignedURL("Amazon CloudFront, canned policy", "Expires=#&Signature=§&Key-Pair-Id=§"),
        SignedURL("Amazon CloudFront, custom policy", "Policy=§&Signature=§&Key-Pair-Id=§&Hash-Algorithm=SHA1"),
        SignedURL(
            "Amazon S3, version 4",
            "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=§&X-Amz-Date=20270101T000000Z&X-Amz-Expires=900"
                + "&X-Amz-Security-Token=§&X-Amz-SignedHeaders=host&X-Amz-Signature=§"),
        SignedURL("Amazon S3, version 2", "AWSAccessKeyId=§&Expires=#&Signature=§"),
        SignedURL(
            "Google Cloud Storage, version 4",
            "X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=§&X-Goog-Date=20270101T000000Z&X-Goog-Expires=900"
                + "&X-Goog-SignedHeaders=host&X-Goog-Signature=§"),
        SignedURL("Google Cloud Storage, version 2", "GoogleAccessId=§&Expires=#&Signature=§"),
        SignedURL("Google Cloud CDN, signed prefix", "URLPrefix=§&Expires=#&KeyName=§&Signature=§"),
        SignedURL("Google Media CDN, token", "edge-cache-token=Expires=#~URLPrefix=§~hmac=§"),
        SignedURL(
            "Google Media CDN, in the path", "", segment: "edge-cache-token=Expires=#&KeyName=§&Signature=§"),
        SignedURL("Fastly, token", "token=#_§"),
        SignedURL("nginx secure link", "md5=§&expires=#"), SignedURL("nginx secure link, short", "st=§&e=#"),
        SignedURL("Wangsu", "wsSecret=§&wsTime=#"), SignedURL("Wangsu, absolute time", "wsSecret=§&wsABStime=#"),
        SignedURL("Tencent Cloud", "txSecret=§&txTime=#"), SignedURL("Tencent Cloud, type D", "sign=§&t=#"),
        SignedURL("Huawei Cloud", "hwSecret=§&hwTime=#"), SignedURL("Volcano Engine", "volcSecret=§&volcTime=#"),
        SignedURL("Alibaba Cloud CDN", "auth_key=#-0-0-§"),
        SignedURL("Alibaba Cloud OSS", "OSSAccessKeyId=§&Expires=#&Signature=§&security-token=§"),
        SignedURL(
            "Azure Storage",
            "sv=2024-11-04&st=2027-01-01T00%3A00Z&se=2027-01-02T00%3A00Z&sr=b&sp=r&sig=§"),
        SignedURL("Bunny", "token=§&expires=#&token_path=%2F§"),
        SignedURL("Bunny, in the path", "", segment: "bcdn_token=§&expires=#&token_path=%2F§"),
        SignedURL("Edgecast", "ec_token=§"), SignedURL("KeyCDN", "token=§&expire=#"),
        SignedURL("Wowza", "wowzatokenhash=§&wowzatokenstarttime=#&wowzatokenendtime=#"),
    ]

    /// A URL of this form with ordinary parameters in between, and the same without the token.
    package func drawn(from random: inout some RandomNumberGenerator) -> (signed: String, plain: String) {
        func filled(_ text: String) -> String {
            text.reduce(into: "") { result, character in
                switch character {
                case "§": result += Self.mark + String(random.next(), radix: 36)
                case "#": result += String(UInt32.random(in: 1_700_000_000...1_800_000_000, using: &random))
                default: result.append(character)
                }
            }
        }
        let plain = ["channel=7", "lang=de", "x=\(random.next())"]
        var items = plain.map { (isPlain: true, text: $0) }
        for item in query.split(separator: "&").shuffled(using: &random) {
            // Names are written with small or capital letters.
            var text = filled(String(item))
            if Bool.random(using: &random), let equals = text.firstIndex(of: "=") {
                text = text[..<equals].uppercased() + text[equals...]
            }
            items.insert((false, text), at: Int.random(in: 0...items.count, using: &random))
        }
        let path = segment.isEmpty ? "" : "/\(filled(segment))"
        let query = items.map(\.text).joined(separator: "&")
        return ("https://h\(path)/live/a.m3u8?\(query)", "https://h/live/a.m3u8?\(plain.joined(separator: "&"))")
    }
}
