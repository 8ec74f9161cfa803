import Foundation

/// The machine that the tables were measured on, for their head.
enum Machine {
    static let cores = ProcessInfo.processInfo.processorCount

    /// The server has the first core; with these words before it, a program gets the other cores to itself, if there
    /// are any.
    static var pin: [String] { cores > 1 ? ["taskset", "--cpu-list", "1-\(cores - 1)"] : [] }

    static var processor: String {
        let line = lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    }

    static var system: String {
        let line = lines("/etc/os-release").first { $0.hasPrefix("PRETTY_NAME=") }
        return line?.split(separator: "\"").last.map(String.init) ?? "unknown system"
    }

    static func software(hasGo: Bool) -> String {
        let curl = Command.firstLine("curl", ["--version"]).split(separator: " ")
        let parts = curl.filter { ["libcurl", "OpenSSL", "nghttp2"].contains($0.split(separator: "/").first ?? "") }
        let tools = [Command.firstLine("h2load", ["--version"]), Command.firstLine("swift", ["--version"])]
        let go = hasGo ? [Command.firstLine("go", ["version"])] : []
        return (parts.map(String.init) + tools + go).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func lines(_ path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
    }
}
