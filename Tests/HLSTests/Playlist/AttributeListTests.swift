import Ports
import Testing

@testable import HLS

/// Attribute lists by rfc8216bis-22 section 4.2.
struct AttributeListTests {
    /// `NAME=value` of each attribute, quoted values in quotes, followed by each problem in angle brackets.
    static func read(_ text: String) -> String {
        text.withBytes { view in
            let list = AttributeList(view)
            let attributes = list.attributes.map { attribute in
                let quote = attribute.isQuoted ? "\"" : ""
                return "\(attribute.name.string)=\(quote)\(attribute.value.string)\(quote)"
            }
            return (attributes + list.problems.map(describe)).joined(separator: "|")
        }
    }

    private static func describe(_ problem: AttributeProblem) -> String {
        switch problem {
        case .noEquals(let text): "<no equals \(text.string)>"
        case .badName(let text): "<bad name \(text.string)>"
        case .unterminatedQuote(let text): "<open quote \(text.string)>"
        case .textAfterQuote(let text): "<after quote \(text.string)>"
        case .whitespace: "<blank>"
        case .duplicate(let text): "<twice \(text.string)>"
        case .tooMany: "<too many>"
        }
    }

    @Test(arguments: [
        ("", ""),
        ("A=1", "A=1"),
        ("A=1,B-2=0x0F,C=1.5", "A=1|B-2=0x0F|C=1.5"),
        ("CODECS=\"avc1,mp4a\",N=\"\"", "CODECS=\"avc1,mp4a\"|N=\"\""),
        ("CUE=\"/DA=\",RAW=/DA==,E=", "CUE=\"/DA=\"|RAW=/DA==|E="),
        ("A=1, B=2", "A=1|B=2|<blank>"),
        ("A=1 ,B=2", "A=1|B=2|<blank>"),
        ("A= \"x\"", "A=\"x\"|<blank>"),
        ("A", "<no equals A>"),
        ("A,B=2", "B=2|<no equals A>"),
        ("a=1", "a=1|<bad name a>"),
        ("=1", "=1|<bad name >"),
        ("A=\"x", "A=\"x\"|<open quote x>"),
        ("A=\"x\"y,B=2", "A=\"x\"|B=2|<after quote y>"),
        ("A=\"x\" ,B=2", "A=\"x\"|B=2|<blank>"),
        ("A=1,A=2", "A=1|A=2|<twice A>"),
        ("A=1,", "A=1"),
        (",", "<no equals >"),
    ]) func reads(_ text: String, _ expected: String) {
        #expect(Self.read(text) == expected)
    }

    @Test func lastOfANameCounts() {
        let value = "A=1,A=2".withBytes { AttributeList($0)["A"]?.value.string }
        #expect(value == "2")
    }

    @Test func numberOfAttributesIsBounded() {
        let text = String(repeating: "A=1,", count: 1_000)
        let (count, isFlagged) = text.withBytes { view in
            let list = AttributeList(view)
            return (list.attributes.count, list.problems.count)
        }
        #expect(count == PlaylistLimits.attributes)
        #expect(isFlagged == PlaylistLimits.attributes)
    }
}
