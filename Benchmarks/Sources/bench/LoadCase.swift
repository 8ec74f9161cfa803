import Foundation
import Load
import PushAdapter
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
        return "\(size), \(version), \(Double(inFlight).whole) in flight"
            + (isSlow ? ", answers after 50 ms" : "") + (isSpread ? ", on all cores" : "")
    }

    var version: String { httpVersion == 2 ? "HTTP/2" : "HTTP/1.1" }

    /// All cases with HTTP/1.1, then all with HTTP/2: each version has a table.
    static let all: [LoadCase] = [1, 2].flatMap { version in
        // Over HTTP/1.1, 1,000 in flight would be 1,000 connections.
        (version == 2 ? [1, 64, 256, 1000] : [1, 64, 256]).map { LoadCase(httpVersion: version, inFlight: $0) }
            + [1, 64, 256].map { LoadCase(devices: 1000, httpVersion: version, inFlight: $0) }
            + [
                LoadCase(httpVersion: version, inFlight: 256, isSlow: true),
                LoadCase(httpVersion: version, isSpread: true),
            ]
    }

    /// The push that the adapter makes for this case; the other programs send the same bytes.
    func body() throws -> [UInt8] {
        let jpush = try JPush(appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret))
        let push = try jpush.send(Sample.message, to: .devices(Sample.devices(devices)))
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
    /// How often one measurement starts the program, each time with its own connections.
    var starts = 1

    static func all(_ folder: Folder, python: String?, go: String?) -> [LoadProgram] {
        var programs = [
            LoadProgram(name: floor, command: [folder.program("bench-c")]),
            LoadProgram(
                name: limit, command: [folder.program("bench-h2load")], takes: { $0.httpVersion == 2 }, starts: 2),
        ]
        programs += ours(folder, "HTTP2Transport", "http2") { $0.httpVersion == 2 }
        programs += ours(folder, "CurlTransport", "curl") { $0.httpVersion == 1 }
        if let go { programs.append(LoadProgram(name: goName, command: [go]) { $0.httpVersion == 2 }) }
        programs.append(LoadProgram(name: "AsyncHTTPClient", command: [folder.program("bench-ahc")]))
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

    /// One of our transports, and the pipeline on it.
    private static func ours(
        _ folder: Folder, _ transport: String, _ carrier: String, takes: @escaping (LoadCase) -> Bool
    ) -> [LoadProgram] {
        [("transport", transport), ("pipeline", "pipeline, \(transport)")].flatMap { mode, name in
            let command = [folder.program("bench-pushbridge"), mode]
            return [
                LoadProgram(name: name, command: command + ["shared", carrier], takes: takes),
                LoadProgram(name: "the same, on its thread", command: command + ["own", carrier]) {
                    $0.devices == 1 && takes($0)
                },
            ]
        }
    }

    /// The program that the others are compared with.
    static let floor = "C, libcurl"
    /// Over HTTP/2, CPU is also compared with that of these.
    static let limit = "h2load"
    static let goName = "Go, net/http"

    /// Runs the program once, in its own process.
    func run(_ one: LoadCase, _ server: Nginx, _ folder: Folder, seconds: Double) throws -> LoadRun {
        let body = try folder.write("body.json", String(decoding: try one.body(), as: UTF8.self))
        let arguments = LoadArguments(
            origin: "https://localhost:\(one.isSlow ? server.slowPort : server.port)", caFile: server.caFile,
            httpVersion: one.httpVersion, inFlight: one.inFlight, seconds: seconds, bodyFile: body, devices: one.devices
        )
        return try run(arguments.list, isSpread: one.isSpread, server)
    }

    /// Runs the program once with these arguments, in its own process.
    func run(_ arguments: [String], isSpread: Bool = false, _ server: Nginx) throws -> LoadRun {
        let before = try server.connections()
        let output = try Command.run("/usr/bin/env", (isSpread ? [] : Machine.pin) + command + arguments)
        let measure = try JSONDecoder().decode(Measure.self, from: Data(output.utf8))
        // The status request itself opens a connection.
        return LoadRun(measure: measure, connections: (try server.connections() - before - 1) / starts)
    }
}
