// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let instrumentation = Target.Dependency.product(name: "Instrumentation", package: "swift-distributed-tracing")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "HummingbirdHTTP2", package: "hummingbird"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
]

/// A library of this package and the product of the same name.
func library(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path ?? "Sources/\(name)", swiftSettings: settings)
}

func tests(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: path ?? "Tests/\(name)", swiftSettings: settings)
}

/// An example program: it runs on a simulator that it starts itself.
func example(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["PushBridge", "PushJPush", "JPushSimulator", "PushSimulation", "PushSimulationServer"]
            + dependencies,
        path: "Examples/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "PushBridge",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "PushBridge", targets: ["PushBridge"]),
        .library(name: "PushCore", targets: ["PushCore"]),
        .library(name: "PushClient", targets: ["PushClient"]),
        .library(name: "PushCrypto", targets: ["PushCrypto"]),
        .library(name: "PushCurl", targets: ["PushCurl"]),
        .library(name: "PushObservability", targets: ["PushObservability"]),
        .library(name: "PushDevice", targets: ["PushDevice"]),
        .library(name: "PushStyles", targets: ["PushStyles"]),
        .library(name: "PushSimulation", targets: ["PushSimulation"]),
        .library(name: "PushSimulationServer", targets: ["PushSimulationServer"]),
        .library(name: "PushConformance", targets: ["PushConformance"]),
        .library(name: "PushJPush", targets: ["PushJPush"]),
        .library(name: "JPushSimulator", targets: ["JPushSimulator"]),
        .library(name: "PushEngageLab", targets: ["PushEngageLab"]),
        .library(name: "EngageLabSimulator", targets: ["EngageLabSimulator"]),
        .library(name: "PushTPNS", targets: ["PushTPNS"]),
        .library(name: "TPNSSimulator", targets: ["TPNSSimulator"]),
        .executable(name: "pushctl", targets: ["pushctl"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
    ],
    targets: [
        // System libraries.
        .systemLibrary(
            name: "CLibcurl", path: "Sources/CLibcurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "COpenSSL", path: "Sources/COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

        // The model, the client, the network.
        library("PushCore", [httpTypes]),
        library("PushClient", ["PushCore"]),
        library("PushCrypto", ["PushCore", "COpenSSL"]),
        library("PushCurl", ["PushCore", "CLibcurl", "COpenSSL"]),
        library("PushObservability", ["PushCore", "PushClient", logging, metrics, tracing, instrumentation]),
        library("PushBridge", ["PushCore", "PushClient", "PushCurl", configuration]),

        // The rules of the device SDKs, and their ways of calling.
        library("PushDevice", ["PushCore", "PushClient"]),
        library("PushStyles", ["PushCore", "PushDevice"]),

        // What simulators share, and their web server.
        library("PushSimulation", ["PushCore"]),
        library(
            "PushSimulationServer",
            ["PushCore", "PushSimulation", "PushCrypto", "PushCurl", logging] + hummingbird),

        // What every adapter must pass.
        library("PushConformance", ["PushCore", "PushClient", "PushDevice", "PushSimulation"]),

        // JPush: an adapter and a simulator that share nothing.
        library("PushJPush", path: "Adapters/JPush/Sources", ["PushCore"]),
        library(
            "JPushSimulator", path: "Adapters/JPush/Simulator",
            ["PushCore", "PushCrypto", "PushSimulation"]),
        .target(
            name: "JPushConformance",
            dependencies: [
                "PushCore", "PushClient", "PushConformance", "PushSimulation", "PushJPush", "JPushSimulator",
            ],
            path: "Adapters/JPush/Conformance", resources: [.embedInCode("errors.json")], swiftSettings: settings),

        // EngageLab: the same; the adapter checks the signatures of callbacks.
        library("PushEngageLab", path: "Adapters/EngageLab/Sources", ["PushCore", "PushCrypto"]),
        library(
            "EngageLabSimulator", path: "Adapters/EngageLab/Simulator",
            ["PushCore", "PushCrypto", "PushSimulation"]),

        .target(
            name: "EngageLabConformance",
            dependencies: [
                "PushCore", "PushClient", "PushConformance", "PushSimulation", "PushEngageLab", "EngageLabSimulator",
            ],
            path: "Adapters/EngageLab/Conformance", resources: [.embedInCode("errors.json")],
            swiftSettings: settings),

        // TPNS: the same.
        library("PushTPNS", path: "Adapters/TPNS/Sources", ["PushCore", "PushCrypto"]),
        library(
            "TPNSSimulator", path: "Adapters/TPNS/Simulator",
            ["PushCore", "PushCrypto", "PushSimulation"]),
        .target(
            name: "TPNSConformance",
            dependencies: ["PushCore", "PushConformance", "PushSimulation", "PushTPNS", "TPNSSimulator"],
            path: "Adapters/TPNS/Conformance", resources: [.embedInCode("errors.json")], swiftSettings: settings),

        // The command line and the examples.
        .executableTarget(
            name: "pushctl",
            dependencies: [
                "PushBridge", "PushCore", "PushDevice", "PushStyles", "PushConformance", "PushJPush", "JPushSimulator",
                "JPushConformance",
                "PushEngageLab", "EngageLabSimulator", "EngageLabConformance", "PushTPNS", "TPNSSimulator",
                "TPNSConformance", "PushSimulation", "PushSimulationServer", argumentParser,
                configuration,
            ],
            // The example is also the package that pushctl new-adapter writes.
            resources: [.embedInCode("Skeleton")], swiftSettings: settings),
        example("01-SendToTag"),
        example("02-ReplaceTags"),
        example("03-SeqCallbacks", ["PushDevice", "PushStyles", "PushTPNS", "TPNSSimulator"]),
        example("04-XGMigration", ["PushDevice", "PushStyles"]),
        example("05-PartialFailure"),
        example("06-Observability", ["PushObservability", logging, metrics]),
        .executableTarget(
            name: "08-ReceiveCallbacks",
            dependencies: [
                "PushBridge", "PushEngageLab", "EngageLabSimulator", "PushSimulation",
                logging,
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            path: "Examples/08-ReceiveCallbacks", swiftSettings: settings),
        example(
            "09-ChangeVendor",
            ["PushEngageLab", "EngageLabSimulator", "PushTPNS", "TPNSSimulator", configuration]),
        example("10-TwoPlatforms", ["PushTPNS", "TPNSSimulator"]),

        // Tests. Only those of the server need the web server.
        library("TestSupport", path: "Tests/TestSupport", []),
        library(
            "HostileServer", path: "Tests/HostileServer",
            [
                "PushCore", "COpenSSL", .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]),
        .executableTarget(
            name: "survive",
            dependencies: [
                "HostileServer", "PushCore", "PushClient", "PushCrypto", "PushCurl", "PushObservability", "PushJPush",
                "PushEngageLab", "PushTPNS", argumentParser, logging, metrics,
            ], path: "Tests/Survive", swiftSettings: settings,
            // Its slow name server stands in for the system's, in libcurl as well.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=getaddrinfo"])]),
        tests("PushCoreTests", ["PushCore", "PushSimulation"]),
        tests("PushClientTests", ["PushCore", "PushClient", "PushSimulation"]),
        tests(
            "PushBridgeTests",
            [
                "PushBridge", "PushCore", "PushClient", "PushJPush", "JPushSimulator", "PushEngageLab",
                "EngageLabSimulator", "PushTPNS", "TPNSSimulator", "PushSimulation", configuration,
            ]),
        tests(
            "PushDeviceTests", ["PushCore", "PushClient", "PushDevice", "PushStyles", "PushSimulation", "TestSupport"]),
        tests(
            "PushStylesTests",
            [
                "PushCore", "PushClient", "PushDevice", "PushStyles", "PushSimulation", "PushConformance",
                "JPushConformance", "EngageLabConformance", "TPNSConformance", "TestSupport",
            ]),
        tests("PushCryptoTests", ["PushCore", "PushCrypto"]),
        tests(
            "PushObservabilityTests",
            [
                "PushCore", "PushClient", "PushObservability", "PushSimulation", "PushJPush", "JPushSimulator", logging,
                metrics, tracing, instrumentation, .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]),
        tests(
            "PushJPushTests", path: "Adapters/JPush/Tests",
            ["PushCore", "PushClient", "PushJPush", "JPushSimulator", "PushSimulation"]),
        tests(
            "PushTPNSTests", path: "Adapters/TPNS/Tests",
            ["PushCore", "PushClient", "PushTPNS", "TPNSSimulator", "PushSimulation"]),
        tests(
            "PushEngageLabTests", path: "Adapters/EngageLab/Tests",
            ["PushCore", "PushClient", "PushCrypto", "PushEngageLab", "EngageLabSimulator", "PushSimulation"]),
        tests(
            "LoopbackTests",
            [
                "PushCore", "PushClient", "PushCurl", "PushJPush", "JPushSimulator", "PushEngageLab",
                "EngageLabSimulator", "PushSimulation", "PushSimulationServer", "PushConformance", "JPushConformance",
                "EngageLabConformance", "TPNSConformance", "PushDevice", "PushStyles", "TestSupport", "HostileServer",
                "PushCrypto", "pushctl",
            ]),
        tests(
            "ConformanceTests",
            [
                "PushCore", "PushClient", "PushConformance", "JPushConformance", "EngageLabConformance",
                "TPNSConformance", "PushSimulation", "PushSimulationServer",
                "PushObservability", logging, metrics, tracing, instrumentation,
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]),
        tests("PushctlTests", ["PushCore", "TestSupport", "pushctl"]),
    ]
)
