import Ports

/// The rules about an asset list (HLS-17). The raw value is the rule id in findings.
package enum AssetListRule: String, FindingCode {
    case tooMany = "asset-list-too-many"
    case assetWithoutURI = "asset-list-asset-without-uri"
    case relativeURI = "asset-list-relative-uri"
    case assetWithoutDuration = "asset-list-asset-without-duration"
    case skipControlInvalid = "asset-list-skip-control-invalid"
}
