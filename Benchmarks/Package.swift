// swift-tools-version: 6.2
import PackageDescription

// A separate package, to keep the programs we compare with out of the library's dependencies.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func ours(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "PushBridge") } }

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "PushBridge", path: "..", traits: ["Tools", "SQLite", "PostgreSQL"]),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
    ],
    targets: [
        // The programs that are measured, one process for each measurement.
        .executableTarget(name: "bench-c", linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(name: "bench-h2load"),
        program(
            "bench-pushbridge", ["Load"] + ours("PushAdapter", "PushClient", "PushCurl", "PushHTTP2", "PushJPush")),
        program(
            "bench-ahc",
            [
                "Load", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        program("bench-apns", ["Load", "SampleAPNs"] + ours("PushAdapter", "PushClient", "PushHTTP2", "PushAPNs")),
        program("bench-micro", ["Load"] + ours("PushAdapter", "PushClient", "PushCrypto", "PushJPush")),
        program(
            "bench-million",
            ["Load", "SampleAPNs"]
                + ours("PushAdapter", "PushClient", "PushCrypto", "PushHTTP2", "PushAPNs", "PushFCM", "PushJPush")),
        program(
            "bench-fanout",
            ["Load"]
                + ours(
                    "PushAdapter", "PushClient", "PushCurl", "PushFCM", "FCMSimulator", "PushSimulation",
                    "PushSimulationServer")),
        program(
            "bench-webpush",
            ["Load"]
                + ours(
                    "PushAdapter", "PushClient", "PushCrypto", "PushCurl", "PushWebPush", "WebPushSimulator",
                    "PushSimulation", "PushSimulationServer")),
        program(
            "bench-phones",
            ["Load"] + ours("PushAdapter", "PushClient", "PushJPush", "JPushSimulator", "PushPhone", "PushSimulation")),
        program(
            "bench-routes",
            ["Load"] + ours("PushAdapter", "PushClient", "PushJPush", "PushFCM", "PushRouter", "PushRouterSQLite")),
        program(
            "bench-outbox",
            ["Load", "SampleAPNs", .product(name: "GRDB", package: "GRDB.swift")]
                + ours(
                    "PushAdapter", "PushClient", "PushJPush", "PushAPNs", "PushOutbox", "PushOutboxSQLite",
                    "PushOutboxPostgres")),
        // The server of PostgreSQL that the tests have too.
        .target(name: "PostgresServer", swiftSettings: settings),
        // The code that they share, and the program that runs them and prints the tables.
        .target(name: "Load", dependencies: ours("PushAdapter"), swiftSettings: settings),
        .target(
            name: "SampleAPNs", dependencies: ["Load"] + ours("PushAdapter", "PushCrypto", "PushAPNs"),
            swiftSettings: settings),
        program(
            "bench",
            [
                "Load", "PostgresServer", "SampleAPNs",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
                + ours("PushAdapter", "PushCrypto", "PushAPNs", "PushJPush")),
    ]
)
