// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Backend",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By path, the package is known by its folder's name, so it is named here.
        .package(name: "PushBridge", path: "../..", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
    ],
    targets: [
        .target(
            name: "Backend",
            dependencies: [
                .product(name: "PushBridge", package: "PushBridge"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(
            name: "Serve",
            dependencies: [
                "Backend",
                .product(name: "PushBridge", package: "PushBridge"),
                .product(name: "PushJPush", package: "PushBridge"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Configuration", package: "swift-configuration"),
            ]),
        .testTarget(
            name: "BackendTests",
            dependencies: [
                "Backend",
                .product(name: "PushBridge", package: "PushBridge"),
                .product(name: "PushJPush", package: "PushBridge"),
                .product(name: "JPushSimulator", package: "PushBridge"),
                .product(name: "PushMemory", package: "PushBridge"),
                .product(name: "PushSimulation", package: "PushBridge"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
    ]
)
