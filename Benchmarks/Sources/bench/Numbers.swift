import Foundation

extension [Double] {
    /// The middle one; of an even number the higher of the two.
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}

extension Double {
    /// With so many digits behind the point.
    func rounded(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }

    /// `37,123`.
    var whole: String {
        let digits = String(Int(self.rounded()))
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in
            digits.prefix(end).suffix(Swift.min(3, end))
        }
        return groups.reversed().joined(separator: ",")
    }
}

enum Progress {
    static func say(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
}

/// What the tables were measured on, for their head.
enum Machine {
    static let cores = ProcessInfo.processInfo.processorCount

    static var processor: String {
        let line = lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    }

    static var system: String {
        let line = lines("/etc/os-release").first { $0.hasPrefix("PRETTY_NAME=") }
        return line?.split(separator: "\"").last.map(String.init) ?? "unknown system"
    }

    static var software: String {
        let curl = Command.firstLine("curl", ["--version"]).split(separator: " ")
        let parts = curl.filter { ["libcurl", "OpenSSL", "nghttp2"].contains($0.split(separator: "/").first ?? "") }
        return (parts.map(String.init) + [Command.firstLine("swift", ["--version"])]).joined(separator: ", ")
    }

    private static func lines(_ path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
    }
}
