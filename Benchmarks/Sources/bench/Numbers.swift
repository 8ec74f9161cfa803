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

enum Machine {
    /// Processor, cores, system and the version of libcurl, for the head of the tables.
    static var description: String {
        let processor = lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let system = lines("/etc/os-release").first { $0.hasPrefix("PRETTY_NAME=") }?.split(separator: "\"").last
        return [
            processor.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor", "\(cores) cores",
            system.map(String.init) ?? "unknown system", Command.firstLine("curl", ["--version"]),
            Command.firstLine("swift", ["--version"]),
        ].joined(separator: "; ")
    }

    static let cores = ProcessInfo.processInfo.processorCount

    private static func lines(_ path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
    }
}
