import ArgumentParser
import Foundation
import PushBridge

struct NewAdapter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the package of a new adapter: one that passes every check, to be changed file by file.",
        discussion: "The package is Examples/07-YourOwnAdapter under the new name. Nothing that exists is overwritten.")

    @Argument(help: "The vendor's name as a Swift type: Courier.")
    var name: String

    @Option(name: .customLong("pushbridge"), help: "PushBridge's folder, as seen from the new package.")
    var pushBridge = "../PushBridge"

    /// The files of the example, by their place in it.
    private static let files: [(path: String, bytes: [UInt8])] = [
        ("Package.swift", PackageResources.Package_swift),
        ("README.md", PackageResources.README_md),
        ("Sources/PushPigeon/Pigeon.swift", PackageResources.Pigeon_swift),
        ("Sources/PushPigeon/Pigeon+Sending.swift", PackageResources.Pigeon_Sending_swift),
        ("Sources/PushPigeon/Pigeon+Tags.swift", PackageResources.Pigeon_Tags_swift),
        ("Sources/PushPigeon/PigeonErrors.swift", PackageResources.PigeonErrors_swift),
        ("Sources/PushPigeon/PigeonLimits.swift", PackageResources.PigeonLimits_swift),
        ("Sources/PigeonSimulator/PigeonSimulator.swift", PackageResources.PigeonSimulator_swift),
        ("Tests/PigeonTests/PigeonTests.swift", PackageResources.PigeonTests_swift),
    ]

    func run() async throws {
        guard let first = name.utf8.first, (0x41...0x5A).contains(first),
            name.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
            })
        else {
            throw PushError(
                .invalidArgument,
                "\(Redaction.quoted(name)) is no name for a type; give letters and digits that begin with a capital")
        }
        let folder = URL(filePath: name, directoryHint: .isDirectory)
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw PushError(.invalidArgument, "there is a \(name) here already; nothing was written")
        }
        let manifest = URL(filePath: pushBridge, relativeTo: folder).appending(path: "Package.swift")
        guard FileManager.default.fileExists(atPath: manifest.path) else {
            throw PushError(
                .invalidArgument,
                "there is no package at \(Redaction.quoted(pushBridge)), seen from \(name); give --pushbridge FOLDER")
        }
        do {
            for (path, bytes) in Self.files + [(".gitignore", Array(".build/\n".utf8))] {
                let file = folder.appending(path: renamed(path))
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(renamed(String(decoding: bytes, as: UTF8.self)).utf8).write(to: file)
            }
        } catch {
            throw PushError(.invalidState, "\(name) cannot be written here: \(error.localizedDescription)")
        }
        Output.line("wrote \(Self.files.count + 1) files to \(name)\n\n    cd \(name)\n    swift test")
    }

    private func renamed(_ text: String) -> String {
        text.replacing("Pigeon", with: name).replacing("pigeon", with: name.lowercased())
            .replacing(#"path: "../..""#, with: "path: \"\(pushBridge)\"")
    }
}
