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

/// A product that only the trait `Tools` needs. Without the trait, SwiftPM does not fetch its package.
func tool(_ name: String, package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Tools"]))
}

let argumentParser = tool("ArgumentParser", package: "swift-argument-parser")
let grdb = ["GRDB", "GRDBSQLite"].map { name in
    Target.Dependency.product(name: name, package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
}
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"]))
let libpq = Target.Dependency.target(name: "CPq", condition: .when(traits: ["PostgreSQL"]))
let hummingbird = [
    tool("Hummingbird", package: "hummingbird"),
    tool("HummingbirdCore", package: "hummingbird"),
    tool("HummingbirdHTTP2", package: "hummingbird"),
    tool("NIOCore", package: "swift-nio"),
    tool("NIOHTTPTypes", package: "swift-nio-extras"),
    tool("NIOSSL", package: "swift-nio-ssl"),
]

/// A library of this package and the product of the same name.
func library(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path ?? "Sources/\(name)", swiftSettings: settings)
}

/// A library with files for browsers, over the web server.
func page(_ name: String, path: String? = nil, files: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies + hummingbird, path: path ?? "Sources/\(name)",
        resources: [.embedInCode(files)], swiftSettings: settings)
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

/// The maker of vendors that have one in common. Their adapters share what they say on the wire, and their simulators
/// what they answer; an adapter and a simulator share nothing.
let makers = ["JPush": "Jiguang", "EngageLab": "Jiguang", "Harmony": "Huawei", "Huawei": "Huawei"]

func maker(_ name: String) -> [Target] {
    [
        library("\(name)Dialect", path: "Adapters/\(name)/Sources", ["PushAdapter", "PushWebhooks", "PushCrypto"]),
        library(
            "\(name)Simulation", path: "Adapters/\(name)/Simulator", ["PushAdapter", "PushCrypto", "PushSimulation"]),
    ]
}

/// A vendor: an adapter and a simulator that share nothing, and the harness that holds the one against the other.
func vendor(_ name: String) -> [Target] {
    let folder = "Adapters/" + (["Harmony": "Huawei/Harmony", "Huawei": "Huawei/Android"][name] ?? name)
    let both: [Target.Dependency] = ["PushAdapter", "PushClient", "PushSimulation", "Push\(name)", "\(name)Simulator"]
        .map { .byName(name: $0) }
    func shared(_ part: String) -> [Target.Dependency] { makers[name].map { [.byName(name: $0 + part)] } ?? [] }
    return [
        library(
            "Push\(name)", path: "\(folder)/Sources",
            ["PushAdapter", "PushWebhooks", "PushCrypto"] + shared("Dialect")),
        library(
            "\(name)Simulator", path: "\(folder)/Simulator",
            ["PushAdapter", "PushCrypto", "PushSimulation"] + shared("Simulation")),
        .target(
            name: "\(name)Conformance",
            dependencies: both + ["PushConformance", "PushCrypto", "PushWebhooks"]
                + (makers[name] == "Huawei" ? ["HuaweiFixtures"] : []),
            path: "\(folder)/Conformance",
            resources: [.embedInCode("errors.json")], swiftSettings: settings),
        tests(
            "Push\(name)Tests", path: "\(folder)/Tests",
            both + ["PushWebhooks", "PushCrypto", "TestSupport"] + shared("Dialect") + shared("Simulation")),
    ]
}

/// One more vendor is one more name.
let vendors = [
    "JPush", "EngageLab", "TPNS", "FCM", "APNs", "Harmony", "Huawei", "WebPush", "Xiaomi", "Vivo", "OPPO", "Honor",
]
let adapters = vendors.map { Target.Dependency.byName(name: "Push\($0)") }
let simulators = vendors.map { Target.Dependency.byName(name: "\($0)Simulator") }
let harnesses = vendors.map { Target.Dependency.byName(name: "\($0)Conformance") }

let package = Package(
    name: "PushBridge",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "PushBridge", targets: ["PushBridge"]),
        .library(name: "PushCore", targets: ["PushCore"]),
        .library(name: "PushAdapter", targets: ["PushAdapter"]),
        .library(name: "PushWebhooks", targets: ["PushWebhooks"]),
        .library(name: "PushClient", targets: ["PushClient"]),
        .library(name: "PushCrypto", targets: ["PushCrypto"]),
        .library(name: "PushCurl", targets: ["PushCurl"]),
        .library(name: "PushHTTP2", targets: ["PushHTTP2"]),
        .library(name: "PushRouter", targets: ["PushRouter"]),
        .library(name: "PushRouterSettings", targets: ["PushRouterSettings"]),
        .library(name: "PushRouterSQLite", targets: ["PushRouterSQLite"]),
        .library(name: "PushOutbox", targets: ["PushOutbox"]),
        .library(name: "PushOutboxSQLite", targets: ["PushOutboxSQLite"]),
        .library(name: "PushOutboxPostgres", targets: ["PushOutboxPostgres"]),
        .library(name: "PushOutboxPage", targets: ["PushOutboxPage"]),
        .library(name: "PushServices", targets: ["PushServices"]),
        .library(name: "PushObservability", targets: ["PushObservability"]),
        .library(name: "PushOutboxObservability", targets: ["PushOutboxObservability"]),
        .library(name: "PushDevice", targets: ["PushDevice"]),
        .library(name: "PushStyles", targets: ["PushStyles"]),
        .library(name: "PushSimulation", targets: ["PushSimulation"]),
        .library(name: "PushMemory", targets: ["PushMemory"]),
        .library(name: "PushSimulationTesting", targets: ["PushSimulationTesting"]),
        .library(name: "PushSimulationServer", targets: ["PushSimulationServer"]),
        .library(name: "PushLoopback", targets: ["PushLoopback"]),
        .library(name: "PushConformance", targets: ["PushConformance"]),
        .library(name: "PushStoreConformance", targets: ["PushStoreConformance"]),
        .library(name: "PushPhone", targets: ["PushPhone"]),
        .library(name: "PushAdvisor", targets: ["PushAdvisor"]),
        .library(name: "PushInspector", targets: ["PushInspector"]),
        .library(name: "PushctlKit", targets: ["PushctlKit"]),
        .executable(name: "pushctl", targets: ["pushctl"]),
    ]
        + vendors.flatMap { name -> [Product] in
            [
                .library(name: "Push\(name)", targets: ["Push\(name)"]),
                .library(name: "\(name)Simulator", targets: ["\(name)Simulator"]),
            ]
        },
    traits: [
        // All, so that a clone builds and tests everything. A backend names those that it needs.
        .default(enabledTraits: ["Tools", "SQLite", "PostgreSQL", "ServiceLifecycle"]),
        .trait(
            name: "Tools",
            description: """
                pushctl, the simulators' web server, the inspector, the examples and the tests. A backend leaves it out, \
                and fetches no web server.
                """),
        .trait(name: "SQLite", description: "Stores on SQLite, with GRDB; without it, GRDB is not even fetched."),
        .trait(name: "PostgreSQL", description: "Stores on PostgreSQL, with libpq; without it, libpq is not needed."),
        .trait(
            name: "ServiceLifecycle",
            description: "Clients, routers and outboxes as services of a group, with swift-service-lifecycle."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
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
        .systemLibrary(
            name: "CNGHTTP2", path: "Sources/CNGHTTP2", pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"])]),
        // Without pkg-config: it would warn everybody who does not have libpq.
        .systemLibrary(name: "CPq", path: "Sources/CPq", providers: [.apt(["libpq-dev"])]),

        // The model, the client, the network.
        library("PushCore", [httpTypes]),
        library("PushAdapter", ["PushCore"]),
        library("PushWebhooks", ["PushAdapter"]),
        library("PushClient", ["PushAdapter"]),
        library("PushCrypto", ["PushAdapter", "COpenSSL"]),
        library("PushIO", ["PushAdapter", "PushCrypto", "COpenSSL"]),
        library("PushCurl", ["PushAdapter", "PushIO", "CLibcurl", "COpenSSL"]),
        library("PushHTTP2", ["PushAdapter", "PushIO", "PushCrypto", "CNGHTTP2", "COpenSSL"]),
        library("PushRoutes", ["PushAdapter", "PushClient"]),
        library("PushRouter", ["PushAdapter", "PushClient", "PushRoutes", "PushWebhooks"]),
        library("PushSQLite", ["PushAdapter"] + grdb),
        library("PushRouterSQLite", ["PushAdapter", "PushRouter", "PushSQLite"] + grdb),
        library("PushOutbox", ["PushAdapter", "PushCrypto", "PushClient", "PushRoutes"]),
        library("PushOutboxSQLite", ["PushAdapter", "PushOutbox", "PushSQLite"] + grdb),
        library("PushPostgres", ["PushAdapter", "PushIO", libpq]),
        library("PushOutboxPostgres", ["PushAdapter", "PushClient", "PushOutbox", "PushPostgres"]),
        library("PushServices", ["PushCore", "PushClient", "PushRouter", "PushOutbox", lifecycle]),
        library("PushObservability", ["PushAdapter", "PushClient", logging, metrics, tracing, instrumentation]),
        library(
            "PushOutboxObservability",
            ["PushCore", "PushOutbox", "PushObservability", metrics, tracing, instrumentation]),
        library(
            "PushBridge", ["PushCore", "PushAdapter", "PushClient", "PushIO", "PushCurl", "PushHTTP2", configuration]),
        library("PushRouterSettings", ["PushAdapter", "PushClient", "PushBridge", "PushRouter", configuration]),

        // The rules of the device SDKs, and their ways of calling.
        library("PushDevice", ["PushAdapter", "PushClient"]),
        library("PushStyles", ["PushAdapter", "PushClient", "PushDevice"]),

        // What simulators share, and their web server.
        library("PushSimulation", ["PushAdapter"]),
        // A vendor in memory and its adapter, which prove nothing: one module, for tests of what stands above adapters.
        library("PushMemory", ["PushAdapter", "PushSimulation"]),
        // Runs on one thread, in the order of a seed.
        library("PushSimulationTesting", ["PushAdapter", "PushOutbox", "PushSimulation"]),
        library(
            "PushSimulationServer",
            [
                "PushAdapter", "PushSimulation", "PushCrypto", logging,
                tool("NIOPosix", package: "swift-nio"), tool("NIOTLS", package: "swift-nio"),
                tool("NIOHTTP2", package: "swift-nio-http2"),
                tool("NIOHPACK", package: "swift-nio-http2"),
            ] + hummingbird),

        // A server and a transport that trusts it.
        library("PushLoopback", ["PushAdapter", "PushCurl", "PushHTTP2", "PushSimulation", "PushSimulationServer"]),

        // A phone in memory.
        library("PushPhone", ["PushAdapter", "PushDevice", "PushSimulation"]),

        // What pages in a browser share: the guard, the responder, the look.
        page("PushPages", files: "Shared", ["PushAdapter", "PushSimulation"]),
        // A page about simulators and phones.
        page(
            "PushInspector", files: "Page",
            ["PushAdapter", "PushDevice", "PushSimulation", "PushPhone", "PushSimulationServer", "PushPages"]),
        // A page for operators of an outbox.
        page(
            "PushOutboxPage", files: "Page",
            ["PushAdapter", "PushOutbox", "PushSimulation", "PushSimulationServer", "PushPages"]),

        // A push service and a page for a real browser.
        page(
            "WebPushBrowser", path: "Adapters/WebPush/Browser", files: "Page",
            [
                "PushAdapter", "PushPages", "PushSimulation", "PushSimulationServer", "WebPushSimulator",
                tool("NIOPosix", package: "swift-nio"), tool("NIOHTTP1", package: "swift-nio"),
                tool("NIOWebSocket", package: "swift-nio"),
            ]),

        // Which vendor to take, and what changes with another.
        library("PushAdvisor", ["PushAdapter"]),

        // What every adapter must pass.
        library("PushConformance", ["PushAdapter", "PushClient", "PushMemory", "PushSimulation", "PushWebhooks"]),
        // The one list of the harnesses.
        library("VendorRegistry", path: "Adapters/Registry", ["PushAdapter", "PushConformance"] + harnesses),
        library(
            "HuaweiFixtures", path: "Adapters/Huawei/Conformance", ["PushAdapter", "PushConformance", "PushSimulation"]),
        // What every store must pass.
        library("PushStoreConformance", ["PushCore", "PushClient", "PushOutbox", "PushRouter", "PushWebhooks"]),

        // The command line and the examples.
        library(
            "DemoStory", path: "Examples/Story",
            [
                "PushAdapter", "PushBridge", "PushRouter", "PushWebhooks", "PushMemory", "PushSimulation",
                "PushSimulationServer", "PushLoopback", "PushCrypto",
            ] + adapters + simulators),
        .target(
            name: "PushctlKit",
            dependencies: [
                "PushBridge", "PushRouter", "PushRouterSettings", "PushRouterSQLite", "PushOutbox", "PushOutboxSQLite",
                "PushOutboxPostgres", "PushAdvisor", "PushLoopback",
                "PushAdapter", "PushDevice", "PushStyles", "PushConformance", "PushSimulation", "PushSimulationServer",
                "PushPhone", "PushInspector", "PushOutboxPage", "DemoStory", "WebPushBrowser",
                "VendorRegistry", argumentParser, configuration,
            ] + adapters,
            // The example is also the package that pushctl new-adapter writes.
            resources: [.embedInCode("Skeleton")], swiftSettings: settings),
        .executableTarget(name: "pushctl", dependencies: ["PushctlKit"], swiftSettings: settings),
        example("01-SendToTag"),
        example("02-ReplaceTags"),
        example("03-SeqCallbacks", ["PushDevice", "PushStyles", "PushTPNS", "TPNSSimulator"]),
        example("04-XGMigration", ["PushDevice", "PushPhone", "PushStyles"]),
        example("05-PartialFailure"),
        example("06-Observability", ["PushObservability", logging, metrics]),
        .executableTarget(
            name: "08-ReceiveCallbacks",
            dependencies: [
                "PushBridge", "PushWebhooks", "PushEngageLab", "EngageLabSimulator", "PushSimulation",
                logging,
                tool("Hummingbird", package: "hummingbird"),
            ],
            path: "Examples/08-ReceiveCallbacks", swiftSettings: settings),
        example(
            "09-ChangeVendor",
            Array(adapters.dropFirst() + simulators.dropFirst()) + [configuration]),
        example("10-TwoPlatforms", ["PushTPNS", "TPNSSimulator"]),
        example("12-MoveVendors", ["PushRouter", "PushTPNS", "TPNSSimulator"]),
        example(
            "13-AppleAndGoogle", ["PushRouter", "PushLoopback", "PushAPNs", "APNsSimulator", "PushFCM", "FCMSimulator"]),
        example("14-SurviveKill", ["PushOutbox", "PushOutboxSQLite"]),
        example(
            "15-UsersAndOutbox", ["PushRouter", "PushOutbox", "PushAPNs", "APNsSimulator", "PushFCM", "FCMSimulator"]),
        example(
            "16-EveryPhoneInChina",
            [
                "PushRouter", "PushWebhooks", "PushAdapter", "PushAPNs", "APNsSimulator", "PushHarmony",
                "HarmonySimulator", "PushHuawei", "HuaweiSimulator", "PushXiaomi", "XiaomiSimulator",
                "PushVivo", "VivoSimulator", "PushOPPO", "OPPOSimulator", "PushHonor", "HonorSimulator",
            ]),

        // Tests. Only those of the server need the web server.
        library(
            "TestSupport", path: "Tests/TestSupport",
            ["PushAdapter", "PushSimulation", "PushWebhooks", "PostgresServer"]),
        library("PostgresServer", path: "Tests/PostgresServer", []),
        library(
            "HostileServer", path: "Tests/HostileServer",
            [
                "PushAdapter", "PushIO", "COpenSSL", tool("NIOHPACK", package: "swift-nio-http2"),
                tool("NIOCore", package: "swift-nio"),
            ]),
        .executableTarget(
            name: "survive",
            dependencies: [
                "HostileServer", "PushAdapter", "PushWebhooks", "PushClient", "PushCrypto", "PushCurl", "PushHTTP2",
                "PushIO", "PushObservability",
                "PushRouter", "PushOutbox", "PushOutboxSQLite", argumentParser, logging, metrics,
            ] + adapters + grdb, path: "Tests/Survive", swiftSettings: settings,
            // Its slow name server stands in for the system's, in libcurl as well.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=getaddrinfo"])]),
        .executableTarget(
            name: "kills",
            dependencies: [
                "PushOutbox", "PushOutboxSQLite", "PushOutboxPostgres", "PostgresServer", "PushAdapter", "PushClient",
                "PushConformance", "PushCurl", "PushHTTP2", "PushSimulation", "PushSimulationServer", "VendorRegistry",
                argumentParser,
            ], path: "Tests/Kills", swiftSettings: settings),
        // Our side of the checks with other libraries for Web Push.
        .executableTarget(
            name: "webpush-peer",
            dependencies: [
                "PushAdapter", "PushClient", "PushCrypto", "PushCurl", "PushSimulation", "PushSimulationServer",
                "PushWebPush", "WebPushSimulator",
            ], path: "Tests/Interop/Peer", swiftSettings: settings),
        // A part of the benchmarks. It is here because it measures what only this package sees.
        .executableTarget(
            name: "webpush-parts", dependencies: ["PushAdapter", "PushCrypto", "PushWebPush"],
            path: "Benchmarks/Sources/webpush-parts", swiftSettings: settings),
        .executableTarget(
            name: "simulate",
            dependencies: [
                "PushSimulationTesting", "PushSimulation", "PushConformance", "PushOutbox", "PushOutboxSQLite",
                "PushRouter", "PushDevice", "PushClient", "PushAdapter", "PushCrypto", "PushWebhooks", "VendorRegistry",
                "WebPushConformance", argumentParser,
            ], path: "Tests/Simulate", exclude: ["Twins"], swiftSettings: settings,
            // Its clock and its threads stand in for the system's, and its functions have names in a failure.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
        tests("PushCoreTests", ["PushAdapter", "PushWebhooks", "PushSimulation"]),
        tests(
            "PushSimulationTestingTests",
            [
                "PushSimulationTesting", "PushAdapter", "PushClient", "PushOutbox", "PushStoreConformance",
                "PushMemory",
                "PushSimulation", "TestSupport",
            ]),
        tests(
            "PushRouterTests",
            [
                "PushRouter", "PushRouterSQLite", "PushOutbox", "PushAdapter", "PushClient", "PushWebhooks",
                "PushSimulation", "PushMemory", "PushStoreConformance", "TestSupport", "PushJPush", "JPushSimulator",
                "PushAPNs", "APNsSimulator", "PushFCM", "FCMSimulator", "PushTPNS", "TPNSSimulator",
            ]),
        tests(
            "PushOutboxTests",
            [
                "PushOutbox", "PushOutboxSQLite", "PushOutboxPostgres", "PushPostgres", "PushSQLite", "PushAdapter",
                "PushClient", "PushSimulation", "PushSimulationTesting", "PushMemory", "PushStoreConformance",
                "PostgresServer", "TestSupport", "PushWebPush",
            ] + grdb),
        tests(
            "PushStoreConformanceTests",
            ["PushStoreConformance", "PushAdapter", "PushClient", "PushRouter", "PushWebhooks"]),
        tests(
            "PushClientTests",
            ["PushAdapter", "PushClient", "PushRoutes", "PushMemory", "PushSimulation", "TestSupport"]),
        tests(
            "PushBridgeTests",
            [
                "PushBridge", "PushRouterSettings", "PushAdapter", "PushClient", "PushRouter", "PushMemory",
                "PushSimulation", configuration,
            ] + adapters + simulators),
        tests("PushAdvisorTests", ["PushAdapter", "PushAdvisor"]),
        tests(
            "PushDeviceTests",
            [
                "PushAdapter", "PushClient", "PushDevice", "PushPhone", "PushStyles", "PushMemory", "PushSimulation",
                "TestSupport",
            ]),
        tests(
            "PushPhoneTests",
            [
                "PushAdapter", "PushClient", "PushDevice", "PushPhone", "PushSimulation", "PushJPush", "JPushSimulator",
            ]),
        tests(
            "InspectorTests",
            [
                "PushAdapter", "PushClient", "PushCurl", "PushDevice", "PushPhone", "PushInspector", "PushSimulation",
                "PushSimulationServer", "PushJPush", "JPushSimulator", "PushFCM", "FCMSimulator", "APNsSimulator",
                "PushOutbox", "PushOutboxPage", "PushMemory", "PushSimulationTesting", "TestSupport", "WebPushBrowser",
                "PushWebPush", "WebPushSimulator", "PushCrypto",
            ]),
        tests(
            "PushStylesTests",
            [
                "PushAdapter", "PushClient", "PushDevice", "PushPhone", "PushStyles", "PushMemory", "PushSimulation",
                "PushConformance", "TestSupport",
            ] + harnesses),
        tests("PushCryptoTests", ["PushAdapter", "PushCrypto"]),
        tests(
            "PushServicesTests",
            [
                "PushServices", "TestSupport", "PushAdapter", "PushClient", "PushRouter", "PushOutbox", "PushMemory",
                "PushSimulation",
                lifecycle,
                .product(
                    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
            ]),
        tests(
            "PushObservabilityTests",
            [
                "PushAdapter", "PushClient", "PushObservability", "PushOutbox", "PushOutboxObservability",
                "PushSimulation", "PushJPush", "JPushSimulator", logging, metrics, tracing, instrumentation,
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]),
        tests(
            "LoopbackTests",
            [
                "PushAdapter", "PushClient", "PushIO", "PushCurl", "PushHTTP2", "PushSimulation",
                "PushSimulationServer",
                "PushConformance", "PushDevice", "PushPhone", "PushStyles", "TestSupport", "HostileServer",
                "PushCrypto", "PushLoopback", "PushRouter", "WebPushBrowser", "pushctl",
                tool("NIOCore", package: "swift-nio"), tool("NIOPosix", package: "swift-nio"),
            ] + adapters + simulators + harnesses),
        tests(
            "ConformanceTests",
            [
                "PushAdapter", "PushClient", "PushConformance", "PushDevice", "PushMemory", "PushSimulation",
                "PushWebhooks",
                "PushSimulationServer", "PushLoopback", "PushObservability", "VendorRegistry", logging, metrics,
                tracing,
                instrumentation,
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ] + harnesses),
        tests(
            "PushctlTests",
            [
                "PushAdapter", "PushConformance", "PushSimulation", "PostgresServer", "TestSupport", "VendorRegistry",
                "pushctl", "ownctl",
            ]),
        // A command line with one more vendor.
        .executableTarget(
            name: "ownctl",
            dependencies: ["PushctlKit", "PushAdapter", "PushConformance", "PushMemory", "PushSimulation"],
            path: "Tests/Ownctl", swiftSettings: settings),
    ] + vendors.flatMap(vendor) + Set(makers.values).sorted().flatMap(maker)
)
