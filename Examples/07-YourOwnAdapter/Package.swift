// swift-tools-version: 6.2
import PackageDescription

let core = Target.Dependency.product(name: "PushCore", package: "PushBridge")
let simulation = Target.Dependency.product(name: "PushSimulation", package: "PushBridge")
let conformance = Target.Dependency.product(name: "PushConformance", package: "PushBridge")

let package = Package(
    name: "Pigeon",
    platforms: [.macOS(.v15)],
    products: [.library(name: "PushPigeon", targets: ["PushPigeon"])],
    dependencies: [.package(name: "PushBridge", path: "../..")],
    targets: [
        .target(name: "PushPigeon", dependencies: [core]),
        .target(name: "PigeonSimulator", dependencies: [core, simulation]),
        .testTarget(
            name: "PigeonTests", dependencies: ["PushPigeon", "PigeonSimulator", core, simulation, conformance]),
    ]
)
