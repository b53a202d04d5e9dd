import Benchmark
import Foundation
import Ports
import SAX2Baseline
import VAST

/// Reading the documents of the shared generator, if present: bare SAX2 events, our model, our findings.
func vastBenchmarks() {
    for document in LargeDocuments.all {
        Benchmark("vast \(document.name): libxml2 SAX2 events in C") { benchmark in
            document.bytes.withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                for _ in benchmark.scaledIterations { blackHole(sax2_baseline_events(start, Int32(bytes.count))) }
            }
        }
        Benchmark("vast \(document.name): bytes to model with positions") { benchmark in
            for _ in benchmark.scaledIterations { blackHole(VASTReader.read(document.bytes)) }
        }
    }
    guard let document = LargeDocuments.all.first else { return }
    let reading = VASTReader.read(document.bytes)
    Benchmark("vast \(document.name): findings") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(reading.findings()) }
    }
    let values = MacroValues()
    Benchmark("vast: one URL with four macros") { benchmark in
        let expander = MacroExpander(values: values)
        let url = "https://t.example.test/i?ts=[TIMESTAMP]&cb=[CACHEBUSTING]&ua=[CLIENTUA]&ifa=[IFA]"
        for _ in benchmark.scaledIterations { blackHole(expander.url(url, in: .impression)) }
    }
}

/// `vectors/large-documents.json`: a prefix, one ad repeated, a suffix.
private enum LargeDocuments {
    struct Document: Sendable {
        var name: String
        var bytes: [UInt8]
    }

    /// Empty if the conformance folder is absent.
    static let all: [Document] = {
        let root = ProcessInfo.processInfo.environment["ADTOP_CONFORMANCE"] ?? "../../shared/conformance"
        let path = "\(root)/vast/vectors/large-documents.json"
        guard let data = FileManager.default.contents(atPath: path), let generator = try? JSONReader.read(Array(data))
        else { return [] }
        let (prefix, item) = (generator["prefix"]?.stringValue ?? "", generator["item"]?.stringValue ?? "")
        return (generator["documents"]?.arrayValue ?? []).map { entry in
            let count = Int(entry["count"]?.integerValue ?? 0)
            let ads = (0..<count).map { item.replacing("{n}", with: String(100_001 + $0)) }
            let text = prefix + ads.joined() + (generator["suffix"]?.stringValue ?? "")
            return Document(name: entry["name"]?.stringValue ?? "", bytes: Array(text.utf8))
        }
    }()
}
