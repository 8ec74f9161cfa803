import Foundation
import Load
import PushCore
import PushJPush

/// What is asked of every program in one row of runs.
struct LoadCase {
    /// The devices of a push: 1 makes about 600 bytes, 1,000 make about 23 KB.
    var devices = 1
    var httpVersion = 1
    var inFlight = 64
    /// The server waits 50 ms before it answers.
    var isSlow = false
    /// The program shares all cores with the server, instead of having those that the server has not.
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
            throw Command.Failure(description: "a push without bytes")
        }
        return bytes
    }
}

/// One of the programs that are compared.
struct LoadProgram {
    let name: String
    /// Path and first arguments.
    let command: [String]
    /// The cases that it can take part in, or is worth measuring in.
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
                // One request after the other, over HTTP/1.1.
                LoadProgram(name: "Python jpush", command: [python, script.path]) {
                    $0.inFlight == 1 && $0.httpVersion == 1
                })
        }
        return programs
    }

    /// What the others are compared with.
    static let floor = "C, libcurl"

    /// One run in a process of its own.
    func run(_ one: LoadCase, _ server: Nginx, _ folder: Folder, seconds: Double) throws -> LoadRun {
        let body = try folder.write("body.json", String(decoding: try one.body(), as: UTF8.self))
        let arguments = LoadArguments(
            origin: "https://localhost:\(one.isSlow ? server.slowPort : server.port)", caFile: server.caFile,
            httpVersion: one.httpVersion, inFlight: one.inFlight, seconds: seconds, bodyFile: body, devices: one.devices
        )
        let before = try server.connections()
        let output = try Command.run("/usr/bin/env", (one.isSpread ? [] : pin) + command + arguments.list)
        let measure = try JSONDecoder().decode(Measure.self, from: Data(output.utf8))
        // Asking for the state opens a connection as well.
        return LoadRun(measure: measure, connections: try server.connections() - before - 1)
    }

    /// The server has the first core; the program gets the others for itself, where there are others.
    private var pin: [String] { Machine.cores > 1 ? ["taskset", "--cpu-list", "1-\(Machine.cores - 1)"] : [] }
}
