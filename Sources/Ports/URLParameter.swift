/// Names of parameters that identify a viewer, grant access for a while or differ at each start. What is masked
/// (``Redaction``) and what is no part of a stream's identity in the journal both follow from this table.
package enum URLParameter {
    /// What a parameter is.
    package enum Meaning: Sendable {
        /// Identifies a session or a person: masked, and part of the identity.
        case viewer
        /// Grants access for a while, or to an application: masked, and no part of the identity.
        case access
        /// Says how long or how access is granted, or keeps caches away. It is no secret: who reads a log needs to see
        /// when a token ended.
        case passing

        /// Whether its value is masked.
        package var isSecret: Bool { self != .passing }
        /// Whether it is no part of the stream's identity.
        package var isPassing: Bool { self != .viewer }
    }

    private static let viewer: Set<String> = [
        "sessid", "sessionid", "session", "sid", "aws.sessionid", "bpkio_sessionid", "pbs", "jsessionid", "phpsessid",
        "paln", "stream_id", "session_id", "session-id", "sess", "sess_id", "playsessionid", "playbacksessionid",
        "ppid", "_fw_vcid2", "_fw_did",
        "id_token", "refresh_token", "key", "secret", "client_secret",
        // Some of these are the same at each start: journals have what was sent under identities with them.
        "access-token", "accesstoken", "auth_token", "authtoken", "session_token", "sessiontoken", "x-api-key",
        "x-auth-token",
        "password", "passwd", "pwd", "uid", "userid", "user_id", "idfa", "idfv", "gaid", "aaid", "ifa", "tifa", "rdid",
        "did", "device_id", "deviceid", "advertising_id", "email",
        "gdpr_consent", "consent", "us_privacy", "gpp", "addtl_consent",
    ]

    /// Names whose value is a whole token with parameters of its own, as in `hdntl=exp=…~acl=…~hmac=…`.
    private static let tokens: Set<String> = [
        "hdnts", "hdnea", "hdntl", "__token__", "__gda__", "edge-cache-token", "bcdn_token", "ec_token",
    ]

    private static let access: Set<String> = tokens.union([
        "token", "access_token", "jwt", "auth", "auth_key", "auth-token", "authorization", "sig", "signature", "hmac",
        "apikey", "api_key", "api-key",
        // Fastly, Brightcove.
        "fastly_token", "bcov_auth",
        // Amazon CloudFront and S3, Google Cloud.
        "policy", "key-pair-id", "awsaccesskeyid", "x-amz-signature", "x-amz-security-token", "x-amz-credential",
        "googleaccessid", "x-goog-signature", "x-goog-credential", "urlprefix", "keyname",
        // Wowza, Wangsu, Tencent, Huawei, Volcano Engine, Alibaba, Bunny.
        "wowzatokenhash", "wssecret", "txsecret", "hwsecret", "volcsecret", "ossaccesskeyid", "security-token",
        "x-oss-signature", "x-oss-credential", "x-oss-security-token", "token_path",
    ])

    private static let passing: Set<String> = [
        "expires", "expire", "expiry", "exp", "md5", "hash", "nonce", "hash-algorithm",
        "wowzatokenstarttime", "wowzatokenendtime", "wstime", "wsabstime", "txtime", "hwtime", "volctime",
        "cb", "cachebuster", "rnd", "random", "ts", "timestamp",
    ]
    /// What else begins so says how a URL is signed.
    private static let passingPrefixes = ["x-amz-", "x-goog-", "x-oss-"]

    /// Short names that mean this only beside another parameter: nginx secure links, Tencent Cloud, Azure Storage.
    private static let pairs: [(name: String, partner: String, meaning: Meaning)] = [
        ("st", "e", .access), ("e", "st", .passing), ("md5", "e", .access), ("e", "md5", .passing),
        ("md5", "expires", .access), ("hash", "expires", .access), ("sign", "t", .access), ("t", "sign", .passing),
        ("sv", "sig", .passing), ("st", "sig", .passing), ("se", "sig", .passing), ("sr", "sig", .passing),
        ("sp", "sig", .passing),
    ]
    private static let pairedNames = Set(pairs.map(\.name))

    /// The names that are secret wherever they are.
    package static let secretNames = viewer.union(access)

    /// What the parameter of that name in lower case is; nil for an ordinary one. `names` returns the names beside it,
    /// in lower case, and is called only where they matter.
    package static func meaning(of name: String, beside names: () -> Set<String>) -> Meaning? {
        if pairedNames.contains(name) {
            let names = names()
            if let pair = pairs.first(where: { $0.name == name && names.contains($0.partner) }) { return pair.meaning }
        }
        if access.contains(name) { return .access }
        if viewer.contains(name) { return .viewer }
        return passing.contains(name) || passingPrefixes.contains { name.hasPrefix($0) } ? .passing : nil
    }

    /// What each item is. A token is one under any name: that of Akamai's is configured.
    package static func meanings(of items: QueryItems) -> [Meaning?] {
        let names = Set(items.items.map { $0.name.lowercased() })
        return items.items.map { item in
            if let value = item.value, isToken(value) { return .access }
            return meaning(of: item.name.lowercased(), beside: { names })
        }
    }

    /// Whether all of a parameter's value up to the end of its segment is one token.
    package static func isWholeToken(name: String) -> Bool { tokens.contains(name) }

    /// Whether a value ends in the message authentication code of a token, escaped or not.
    private static func isToken(_ value: String) -> Bool {
        guard value.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "%") }) else { return false }
        let text = value.lowercased().replacing("%7e", with: "~").replacing("%3d", with: "=")
        return text.contains("~hmac=")
    }

    /// Whether a path segment is a token: `/hdntl=exp=…~hmac=…/`.
    package static func isToken(segment: Substring) -> Bool {
        guard let equals = segment.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let meaning = meaning(of: segment[..<equals].lowercased(), beside: { [] })
        return meaning?.isPassing == true || isToken(String(segment))
    }
}
