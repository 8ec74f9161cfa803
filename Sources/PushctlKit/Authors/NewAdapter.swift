import ArgumentParser
import Foundation
import PushBridge

struct NewAdapter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Creates the package of a new adapter that passes every check.",
        discussion: """
            The package is Examples/07-YourOwnAdapter under the new name. Change it file by file. If your vendor \
            exchanges a key for access tokens that expire, as OAuth 2.0 does, start with --access-tokens. The command \
            never overwrites an existing folder.
            """)

    @Argument(help: "The vendor's name as a Swift type: Courier.")
    var name: String

    @Flag(help: "The vendor's requests are signed with access tokens, which the client fetches and renews.")
    var accessTokens = false

    @Option(name: .customLong("pushbridge"), help: "PushBridge's folder, relative to the new package.")
    var pushBridge = "../PushBridge"

    /// The files that both kinds of package have, by path.
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
        (".gitignore", Array(".build/\n".utf8)),
    ]

    /// How requests are signed, for the adapter and for the simulator.
    private var signing: [(path: String, bytes: [UInt8])] {
        let (credentials, gate) =
            accessTokens
            ? (PackageResources.TokenCredentials_swift, PackageResources.TokenGate_swift)
            : (PackageResources.PigeonCredentials_swift, PackageResources.PigeonGate_swift)
        return [
            ("Sources/PushPigeon/PigeonCredentials.swift", credentials),
            ("Sources/PigeonSimulator/PigeonGate.swift", gate),
        ]
    }

    func run() async throws {
        guard let first = name.utf8.first, (0x41...0x5A).contains(first),
            name.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
            })
        else {
            throw PushError(
                .invalidArgument,
                "\(Redaction.quoted(name)) is not a type name; use letters and digits, with a capital first")
        }
        let folder = URL(filePath: name, directoryHint: .isDirectory)
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw PushError(.invalidArgument, "\(name) already exists here; nothing was written")
        }
        let manifest = URL(filePath: pushBridge, relativeTo: folder).appending(path: "Package.swift")
        guard FileManager.default.fileExists(atPath: manifest.path) else {
            throw PushError(
                .invalidArgument,
                "there is no package at \(Redaction.quoted(pushBridge)), relative to \(name); give --pushbridge FOLDER")
        }
        let files = Self.files + signing
        do {
            for (path, bytes) in files {
                let file = folder.appending(path: renamed(path))
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(renamed(String(decoding: bytes, as: UTF8.self)).utf8).write(to: file)
            }
        } catch {
            throw PushError(.invalidState, "\(name) cannot be written here: \(error.localizedDescription)")
        }
        Output.line("wrote \(files.count) files to \(name)\n\n    cd \(name)\n    swift test")
    }

    private func renamed(_ text: String) -> String {
        text.replacing("Pigeon", with: name).replacing("pigeon", with: name.lowercased())
            .replacing(#"path: "../..""#, with: "path: \"\(pushBridge)\"")
    }
}
