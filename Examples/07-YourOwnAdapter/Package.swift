// swift-tools-version: 6.2
import PackageDescription

let adapter = Target.Dependency.product(name: "PushAdapter", package: "PushBridge")
let simulation = Target.Dependency.product(name: "PushSimulation", package: "PushBridge")
let conformance = Target.Dependency.product(name: "PushConformance", package: "PushBridge")

let package = Package(
    name: "Pigeon",
    platforms: [.macOS(.v15)],
    products: [.library(name: "PushPigeon", targets: ["PushPigeon"])],
    dependencies: [.package(name: "PushBridge", path: "../..", traits: [])],
    targets: [
        .target(name: "PushPigeon", dependencies: [adapter]),
        .target(name: "PigeonSimulator", dependencies: [adapter, simulation]),
        .testTarget(
            name: "PigeonTests", dependencies: ["PushPigeon", "PigeonSimulator", adapter, simulation, conformance]),
    ]
)
