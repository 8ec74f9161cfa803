import Backend
import Configuration
import Hummingbird
import PushBridge
import PushJPush

@main
struct Serve {
    static func main() async throws {
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let client = try await PushClient.configured(from: config, providers: [JPush.self])
        let port = config.int(forKey: "http.port", default: 8080)
        let app = Application(
            router: Backend(client).router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            services: [PushService(client)])
        try await app.runService()
    }
}
