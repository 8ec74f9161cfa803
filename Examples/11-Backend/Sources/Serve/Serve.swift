import Backend
import Configuration
import Foundation
import Hummingbird
import PushBridge
import PushJPush

@main
struct Serve {
    static func main() async throws {
        do {
            try await run()
        } catch let error as PushError {
            // A wrong setting is one line and the status for it, no crash.
            FileHandle.standardError.write(Data("serve: \(error.message)\n".utf8))
            exit(78)
        }
    }

    private static func run() async throws {
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let client = try await PushClient.configured(from: config, providers: [JPush.self])
        let app = Application(
            router: Backend(client).router,
            configuration: .init(address: .hostname("127.0.0.1", port: try await port(of: config))),
            services: [PushService(client)])
        try await app.runService()
    }

    private static func port(of config: ConfigReader) async throws -> Int {
        // The getters without `fetch` would ignore a text that is no number.
        guard let port = try? await config.fetchInt(forKey: "http.port") ?? 8080, (1...65_535).contains(port) else {
            throw PushError(.misconfigured, "HTTP_PORT is not a port; give a number from 1 to 65535")
        }
        return port
    }
}
