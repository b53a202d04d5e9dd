// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that users do not build the benchmark library. The measured targets are the project's sources
// through links, as targets of this package: `package` access then works as it does in the project itself.
let benchmark = Target.Dependency.product(name: "Benchmark", package: "benchmark")
let algorithms = Target.Dependency.product(name: "Algorithms", package: "swift-algorithms")
let dequeModule = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heapModule = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let orderedCollections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
    name: "adtop-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-algorithms.git", exact: "1.2.1"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "Ports"),
        .target(name: "Locks"),
        .target(name: "HLS", dependencies: ["Ports", algorithms]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0"),
        .target(name: "VAST", dependencies: ["Ports", "CLibXML2"]),
        .target(name: "AdTracking", dependencies: ["Ports", "HLS", "VAST", algorithms]),
        .target(name: "Bidding", dependencies: ["Ports"]),
        .target(name: "CreativeCache", dependencies: ["Ports"]),
        .target(name: "AdFormats", dependencies: ["Ports", "VAST"]),
        .target(
            name: "Session",
            dependencies: [
                "Ports", "HLS", "VAST", "AdTracking", "Bidding", "CreativeCache", "AdFormats", algorithms, dequeModule,
                orderedCollections,
            ]),
        .target(
            name: "Monitoring",
            dependencies: ["Ports", "Locks", "AdTracking", "Bidding", "AdFormats", "Session", "Fleet", crypto]),
        .target(name: "Fleet", dependencies: ["Ports"]),
        .target(name: "Screen"),
        .target(
            name: "Themes", path: "Themes",
            resources: [
                .embedInCode("default.yaml"), .embedInCode("midnight.yaml"), .embedInCode("paper.yaml"),
                .embedInCode("high-contrast.yaml"), .embedInCode("mono.yaml"), .embedInCode("colorblind.yaml"),
            ]),
        .target(
            name: "Rules", dependencies: ["Ports"], path: "docs/rules", exclude: ["README.md"],
            resources: [
                .embedInCode("tracking.md"), .embedInCode("providers.md"), .embedInCode("playlists.md"),
                .embedInCode("vast.md"),
                .embedInCode("bidding.md"), .embedInCode("formats.md"), .embedInCode("cache.md"),
                .embedInCode("terminal.md"), .embedInCode("fleet.md"), .embedInCode("findings-tracking.md"),
                .embedInCode("findings-playlists.md"), .embedInCode("findings-vast.md"),
                .embedInCode("findings-other.md"),
            ]),
        .target(
            name: "Dashboard",
            dependencies: [
                "Ports", "HLS", "AdTracking", "Bidding", "CreativeCache", "AdFormats", "Session", "Screen", "Themes",
                "Rules", "Fleet", algorithms, yams,
            ]),
        .executableTarget(
            name: "CoreBenchmarks",
            dependencies: [
                "Ports", "HLS", "VAST", "SAX2Baseline", "AdTracking", "Bidding", "CreativeCache", "Session",
                "Screen", "Dashboard", benchmark,
            ],
            path: "Benchmarks/CoreBenchmarks",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
        .target(name: "SAX2Baseline", dependencies: ["CLibXML2"], path: "Benchmarks/SAX2Baseline"),
        .target(name: "TestSupport", dependencies: ["Ports", "Locks"], path: "Tests/TestSupport"),
        .systemLibrary(name: "CMalloc", path: "Benchmarks/CMalloc"),
        .executableTarget(
            name: "PeerBenchmarks", dependencies: ["Ports", "HLS", "CMalloc"], path: "Benchmarks/PeerBenchmarks",
            // Everything else links Foundation, which brings it.
            linkerSettings: [.linkedLibrary("m")]),
        // The journal; the rest of it needs libraries and is measured in the program.
        .target(
            name: "Live", dependencies: ["Ports", "Locks", "AdTracking", "Session", "Monitoring", grdb],
            exclude: ["Events", "HTTP", "Inflater.swift", "Logging", "Plugins", "Postgres", "Recording"]),
        .executableTarget(
            name: "JournalBenchmarks", dependencies: ["Ports", "Session", "Live"],
            path: "Benchmarks/JournalBenchmarks"),
        .target(name: "DemoOrigin", dependencies: [algorithms, dequeModule, orderedCollections, yams]),
        .target(
            name: "Simulation",
            dependencies: [
                "Ports", "HLS", "AdTracking", "CreativeCache", "AdFormats", "Session", "DemoOrigin", heapModule,
            ]),
        .executableTarget(
            name: "DecodeBenchmarks", dependencies: ["CMalloc", "Ports", "AdTracking"],
            path: "Benchmarks/DecodeBenchmarks"),
        .executableTarget(
            name: "AgeBenchmarks", dependencies: ["CMalloc", "DemoOrigin", "Ports", "Session", "Simulation"],
            path: "Benchmarks/AgeBenchmarks"),
        .target(
            name: "GrowthCases", dependencies: ["Ports", "HLS", "VAST", "AdTracking", "Bidding", "Session"],
            path: "Tests/GrowthCases"),
        .executableTarget(
            name: "GrowthBenchmarks", dependencies: ["GrowthCases"], path: "Benchmarks/GrowthBenchmarks"),
        .executableTarget(name: "AppBenchmarks", dependencies: ["TestSupport"], path: "Benchmarks/AppBenchmarks"),
    ],
    swiftLanguageModes: [.v6])

for target in package.targets
where target.type != .system && target.name != "SAX2Baseline" && !target.name.hasSuffix("Benchmarks") {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
