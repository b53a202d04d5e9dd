// swift-tools-version: 6.2

import PackageDescription

// Versions are exact, those of indirect packages too: the lock file is not committed, so these two lists are what makes two
// builds equal. `make lint` compares them with what was resolved.
let dependencies: [Package.Dependency] = [
    .package(url: "https://github.com/apple/swift-algorithms.git", exact: "1.2.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-http2.git", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
]

// Packages that only other packages use, each with one of its products. SwiftPM warns about a package that no target uses, so
// `adtop` depends on these products on a platform that it is never built for.
let indirectPackages: [(name: String, owner: String, version: Version, product: String)] = [
    ("swift-async-algorithms", "apple", "1.1.4", "AsyncAlgorithms"),
    ("swift-atomics", "apple", "1.3.0", "Atomics"),
    ("swift-configuration", "apple", "1.4.0", "Configuration"),
    ("swift-distributed-tracing", "apple", "1.7.3", "Tracing"),
    ("swift-http-structured-headers", "apple", "1.7.0", "StructuredFieldValues"),
    ("swift-http-types", "apple", "1.8.0", "HTTPTypes"),
    ("swift-metrics", "apple", "2.13.0", "Metrics"),
    ("swift-nio-extras", "apple", "1.35.2", "NIOHTTPCompression"),
    ("swift-nio-transport-services", "apple", "1.28.0", "NIOTransportServices"),
    ("swift-numerics", "apple", "1.1.1", "RealModule"),
    ("swift-service-context", "apple", "1.5.1", "ServiceContextModule"),
    ("swift-service-lifecycle", "swift-server", "2.13.0", "ServiceLifecycle"),
    ("swift-system", "apple", "1.8.1", "SystemPackage"),
]
let indirectDependencies = indirectPackages.map { package in
    Package.Dependency.package(url: "https://github.com/\(package.owner)/\(package.name).git", exact: package.version)
}
let indirectProducts = indirectPackages.map { package in
    Target.Dependency.product(name: package.product, package: package.name, condition: .when(platforms: [.wasi]))
}

let algorithms = Target.Dependency.product(name: "Algorithms", package: "swift-algorithms")
let dequeModule = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heapModule = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let orderedCollections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let swiftASN1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")

// The direction of imports (docs/adr/0001): executables know everything, domains know Ports, Screen and Ports know nothing.
let targets: [Target] = [
    .target(name: "Ports"),
    .target(name: "Locks"),
    .target(name: "HLS", dependencies: ["Ports", algorithms]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "VAST", dependencies: ["Ports", "CLibXML2"]),
    .target(name: "AdTracking", dependencies: ["Ports", "HLS", "VAST", algorithms]),
    .target(name: "Bidding", dependencies: ["Ports"]),
    .target(name: "CreativeCache", dependencies: ["Ports"]),
    .target(name: "AdFormats", dependencies: ["Ports", "VAST"]),
    .target(
        name: "CreativeServer",
        dependencies: [
            "Ports", "Locks", "CreativeCache", nioCore, nioPosix, nioHTTP1, nioSSL, nioTLS, x509, crypto, swiftASN1,
        ]),
    .target(
        name: "Session",
        dependencies: [
            "Ports", "HLS", "VAST", "AdTracking", "Bidding", "CreativeCache", "AdFormats", algorithms, dequeModule,
            orderedCollections,
        ]),
    .target(
        name: "Monitoring",
        dependencies: ["Ports", "Locks", "AdTracking", "Bidding", "AdFormats", "Session", "Fleet", crypto]),
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
            .embedInCode("findings-playlists.md"),
            .embedInCode("findings-vast.md"), .embedInCode("findings-other.md"),
        ]),
    .target(
        name: "Dashboard",
        dependencies: [
            "Ports", "HLS", "AdTracking", "Bidding", "CreativeCache", "AdFormats", "Session", "Screen", "Themes",
            "Rules", "Fleet", algorithms, yams,
        ]),
    .systemLibrary(name: "CNcurses"),
    .target(name: "CTerminalGuard"),
    .target(name: "Terminal", dependencies: ["Locks", "Screen", "CNcurses", "CTerminalGuard"]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CSpawn"),
    .target(name: "CPostgres"),
    .target(name: "CVersions", dependencies: ["CLibXML2"]),
    .target(
        name: "Live",
        dependencies: [
            "Ports", "Locks", "AdTracking", "AdFormats", "Session", "Monitoring", "Fleet", "FleetSchema", "CPostgres",
            "CSpawn",
            "CZlib",
            asyncHTTPClient, nioCore, nioPosix, nioHTTP1, nioHTTP2, nioHPACK, nioSSL, nioTLS, grdb, logging,
        ]),
    .target(name: "Fleet", dependencies: ["Ports"]),
    .target(
        name: "FleetSchema",
        resources: [
            .embedInCode("fleet.sql"), .embedInCode("functions.sql"), .embedInCode("first.sql"),
            .embedInCode("rights.sql"),
        ]),
    .target(name: "DemoOrigin", dependencies: [algorithms, dequeModule, orderedCollections, yams]),
    .target(
        name: "OriginServer",
        dependencies: ["Ports", "Locks", "DemoOrigin", hummingbird, hummingbirdCore, nioCore, logging]),
    .target(
        name: "Simulation",
        dependencies: [
            "Ports", "HLS", "AdTracking", "CreativeCache", "AdFormats", "Session", "DemoOrigin", heapModule,
        ]),
    .executableTarget(
        name: "adtop",
        dependencies: [
            "Ports", "Locks", "HLS", "VAST", "AdTracking", "Bidding", "CreativeCache", "AdFormats", "Session",
            "Monitoring", "Fleet", "Screen", "Dashboard", "Themes", "Rules", "Terminal", "Live", "CreativeServer",
            "DemoOrigin",
            "OriginServer", "Simulation", "CVersions", "CTerminalGuard", argumentParser, hummingbird, logging, yams,
        ] + indirectProducts),
    .executableTarget(
        name: "adtop-conformance",
        dependencies: [
            "Ports", "Locks", "HLS", "VAST", "AdTracking", "Bidding", "CreativeCache", "AdFormats", "Screen", "Live",
            "CreativeServer", argumentParser, crypto,
        ]),

    .target(name: "TestSupport", dependencies: ["Ports", "Locks"], path: "Tests/TestSupport"),
    .target(name: "ModeledStore", dependencies: ["Fleet"], path: "Tests/ModeledStore"),
    .target(
        name: "GrowthCases", dependencies: ["Ports", "HLS", "VAST", "AdTracking", "Bidding", "Session"],
        path: "Tests/GrowthCases"),
    .testTarget(name: "GrowthTests", dependencies: ["GrowthCases"]),
    .target(name: "ClockShift", path: "Tests/ClockShift"),
    .target(name: "PowerLoss", path: "Tests/PowerLoss"),
    .target(
        name: "ScriptedServers",
        dependencies: [
            "Locks", "Fleet", "Live", "TestSupport", nioCore, nioPosix, nioHTTP1, nioHTTP2, nioHPACK, nioSSL,
        ],
        path: "Tests/ScriptedServers"),
    .testTarget(name: "LocksTests", dependencies: ["Locks"]),
    .testTarget(name: "PortsTests", dependencies: ["Ports", "TestSupport"]),
    .testTarget(name: "VASTTests", dependencies: ["Ports", "VAST", "TestSupport"]),
    .testTarget(name: "HLSTests", dependencies: ["Ports", "HLS", "TestSupport"]),
    .testTarget(name: "AdTrackingTests", dependencies: ["Ports", "HLS", "VAST", "AdTracking", "TestSupport"]),
    .testTarget(name: "BiddingTests", dependencies: ["Ports", "Bidding", "TestSupport"]),
    .testTarget(name: "CreativeCacheTests", dependencies: ["Ports", "CreativeCache"]),
    .testTarget(name: "AdFormatsTests", dependencies: ["Ports", "VAST", "AdFormats", "TestSupport"]),
    .testTarget(
        name: "CreativeServerTests",
        dependencies: [
            "Ports", "Locks", "CreativeCache", "CreativeServer", "TestSupport", nioCore, nioEmbedded, nioSSL,
        ]),
    .testTarget(
        name: "SessionTests",
        dependencies: [
            "Ports", "HLS", "VAST", "AdTracking", "Bidding", "CreativeCache", "AdFormats", "Session", "DemoOrigin",
            "Simulation", "TestSupport",
        ]),
    .testTarget(
        name: "MonitoringTests",
        dependencies: [
            "Ports", "Locks", "AdTracking", "Bidding", "Fleet", "Session", "Monitoring", "ModeledStore", "TestSupport",
        ]),
    .testTarget(
        name: "SimulationTests",
        dependencies: [
            "Ports", "HLS", "AdTracking", "Bidding", "CreativeCache", "Session", "DemoOrigin", "Simulation",
        ]),
    .testTarget(name: "FleetTests", dependencies: ["Ports", "Fleet", "ModeledStore"]),
    .testTarget(name: "RulesTests", dependencies: ["Rules"]),
    .testTarget(name: "ScreenTests", dependencies: ["Ports", "Screen", "TestSupport"]),
    .testTarget(
        name: "DashboardTests",
        dependencies: [
            "Ports", "HLS", "AdTracking", "Bidding", "CreativeCache", "AdFormats", "Session", "Screen", "Themes",
            "Rules", "Fleet", "Dashboard", "TestSupport",
        ]),
    .executableTarget(name: "terminal-probe", dependencies: ["Screen", "Terminal"], path: "Tests/TerminalProbe"),
    .testTarget(
        name: "TerminalTests",
        dependencies: [
            "Ports", "Locks", "Screen", "Terminal", "CNcurses", "CTerminalGuard", "TestSupport", "terminal-probe",
        ]),
    .testTarget(
        name: "LiveTests",
        dependencies: [
            "Ports", "Locks", "HLS", "AdTracking", "Session", "Monitoring", "Fleet", "FleetSchema", "Live",
            "adtop-conformance", "TestSupport", "ScriptedServers", nioCore, nioPosix, nioHTTP1, nioHTTP2, nioSSL,
            asyncHTTPClient, grdb, logging,
        ]),
    .testTarget(name: "DemoOriginTests", dependencies: ["DemoOrigin"]),
    .testTarget(
        name: "OriginServerTests", dependencies: ["Ports", "Locks", "DemoOrigin", "OriginServer", "TestSupport"]),
    .testTarget(
        name: "adtopTests",
        dependencies: [
            "Ports", "Locks", "Bidding", "CreativeCache", "CreativeServer", "Session", "Monitoring", "Screen",
            "Dashboard", "Fleet",
            "Live", "adtop", "TestSupport", "AdTracking", "AdFormats", "HLS", "VAST", "Rules", argumentParser,
        ]),
    .testTarget(
        name: "adtopConformanceTests", dependencies: ["Ports", "Live", "adtop-conformance", "TestSupport"]),
    .testTarget(
        name: "FuzzTests",
        dependencies: ["Ports", "HLS", "VAST", "AdTracking", "Bidding", "CreativeCache", "AdFormats", "TestSupport"],
        exclude: ["Crashes"]),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "Ports", "Locks", "Session", "Screen", "Dashboard", "Fleet", "FleetSchema", "Live", "DemoOrigin",
            "OriginServer",
            "adtop", "TestSupport", "ScriptedServers", argumentParser,
        ]),
]

let package = Package(
    name: "adtop",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "adtop", targets: ["adtop"]),
        .executable(name: "adtop-conformance", targets: ["adtop-conformance"]),
        // For tests: loaded in front of the program, it moves its wall clock.
        .library(name: "ClockShift", type: .dynamic, targets: ["ClockShift"]),
        // For tests: loaded in front of the program, it remembers what its databases synced.
        .library(name: "PowerLoss", type: .dynamic, targets: ["PowerLoss"]),
    ],
    dependencies: dependencies + indirectDependencies,
    targets: targets,
    swiftLanguageModes: [.v6])

// Tests spend their time in these. They are optimised in debug builds, too, where assertions still hold: `swift test`, the sanitizers.
let busyTargets: Set = [
    "Ports", "HLS", "VAST", "AdTracking", "AdFormats", "Bidding", "CreativeCache", "Session", "Screen", "DemoOrigin",
    "Simulation", "GrowthCases", "Fleet", "ModeledStore", "FleetTests",
]
// Reads the command line and connects parts: what it does takes no time of note, so it may be small.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
// Functions with the same code are kept once, those as well whose address is taken: nothing here compares addresses of functions.
let folded: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "--icf=all"], .when(platforms: [.linux], configuration: .release))
]
let optimised: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
    if target.name == "adtop" {
        target.swiftSettings?.append(contentsOf: small)
        target.linkerSettings = (target.linkerSettings ?? []) + folded
    }
    if busyTargets.contains(target.name) { target.swiftSettings?.append(contentsOf: optimised) }
}
