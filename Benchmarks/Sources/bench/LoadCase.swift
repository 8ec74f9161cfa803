import Foundation
import Load
import PushCore
import PushJPush

/// The load that every program gets in one case.
struct LoadCase {
    /// The devices of a push: 1 makes about 600 bytes, 1,000 make about 23 KB.
    var devices = 1
    var httpVersion = 1
    var inFlight = 64
    /// The server waits 50 ms before it answers.
    var isSlow = false
    /// The program shares all cores with the server, instead of using only those that the server does not use.
    var isSpread = false

    var name: String {
        let size = devices == 1 ? "600 bytes" : "1,000 ids"
        let version = httpVersion == 2 ? "HTTP/2" : "HTTP/1.1"
        return "\(size), \(version), \(inFlight) in flight"
            + (isSlow ? ", answers after 50 ms" : "") + (isSpread ? ", on all cores" : "")
    }

    static let all: [LoadCase] =
        [1, 1000].flatMap { devices in
            [1, 2].flatMap { version in
                [1, 64, 256].map { LoadCase(devices: devices, httpVersion: version, inFlight: $0) }
            }
        }
        + [1, 2].map { LoadCase(httpVersion: $0, inFlight: 256, isSlow: true) }
        + [1, 2].map { LoadCase(httpVersion: $0, isSpread: true) }

    /// The push that the adapter makes for this case; the other programs send the same bytes.
    func body() throws -> [UInt8] {
        let jpush = try JPush(appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret))
        let push = try jpush.send(Sample.message, to: .devices(Sample.devices(devices)), key: nil)
        guard case .bytes(let bytes, _) = push.request.body else {
            throw Command.Failure(description: "the push has no body")
        }
        return bytes
    }
}

/// One of the compared programs.
struct LoadProgram {
    let name: String
    /// The path and the first arguments.
    let command: [String]
    /// Whether the program can run a case and is worth measuring in it.
    var takes: (LoadCase) -> Bool = { _ in true }

    static func all(_ folder: Folder, python: String?) -> [LoadProgram] {
        let ours = folder.program("bench-pushbridge")
        var programs = [
            LoadProgram(name: floor, command: [folder.program("bench-c")]),
            LoadProgram(name: "our transport", command: [ours, "transport", "shared"]),
            LoadProgram(name: "the same, on its thread", command: [ours, "transport", "own"]) { $0.devices == 1 },
            LoadProgram(name: "our pipeline", command: [ours, "pipeline", "shared"]),
            LoadProgram(name: "the same, on its thread", command: [ours, "pipeline", "own"]) { $0.devices == 1 },
            LoadProgram(name: "AsyncHTTPClient", command: [folder.program("bench-ahc")]),
        ]
        if let python {
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../python/client.py")
            programs.append(
                // One request at a time, over HTTP/1.1.
                LoadProgram(name: "Python jpush", command: [python, script.path]) {
                    $0.inFlight == 1 && $0.httpVersion == 1
                })
        }
        return programs
    }

    /// The program that the others are compared with.
    static let floor = "C, libcurl"

    /// Runs the program once, in its own process.
    func run(_ one: LoadCase, _ server: Nginx, _ folder: Folder, seconds: Double) throws -> LoadRun {
        let body = try folder.write("body.json", String(decoding: try one.body(), as: UTF8.self))
        let arguments = LoadArguments(
            origin: "https://localhost:\(one.isSlow ? server.slowPort : server.port)", caFile: server.caFile,
            httpVersion: one.httpVersion, inFlight: one.inFlight, seconds: seconds, bodyFile: body, devices: one.devices
        )
        let before = try server.connections()
        let output = try Command.run("/usr/bin/env", (one.isSpread ? [] : pin) + command + arguments.list)
        let measure = try JSONDecoder().decode(Measure.self, from: Data(output.utf8))
        // The status request itself opens a connection.
        return LoadRun(measure: measure, connections: try server.connections() - before - 1)
    }

    /// The server has the first core; the program gets the other cores to itself, if there are any.
    private var pin: [String] { Machine.cores > 1 ? ["taskset", "--cpu-list", "1-\(Machine.cores - 1)"] : [] }
}
