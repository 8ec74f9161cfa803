import Configuration
import Foundation
import PushAdapter
import PushBridge
import PushRouter
import PushRouterSettings

/// Settings and credentials from the environment and from a JSON file; the environment wins.
struct Settings: Sendable {
    private let reader: ConfigReader
    private let file: File?

    /// A file of settings, of which errors name the line.
    private struct File {
        let name: String
        let text: String
        /// The vendor is not the file's, because the command line names one.
        let isVendorGiven: Bool

        /// The error with the line of the setting that it names. None if the value came from elsewhere.
        func locating(_ error: PushError) -> PushError {
            guard error.kind == .misconfigured, error.vendor == nil else { return error }
            let lines = JSONLines(text)
            var (path, line): ([String], Int?) = ([], nil)
            // A route's name may come before the name of the setting.
            for word in error.message.prefix(while: { $0 != ";" }).matches(of: #/[A-Za-z0-9_.-]*[A-Za-z0-9_-]/#) {
                let longer = path + word.output.split(separator: ".").map(String.init)
                if let found = lines.line(of: longer) { (path, line) = (longer, found) }
            }
            let name = Settings.environmentName(path.joined(separator: "."))
            guard let line, ProcessInfo.processInfo.environment[name] == nil, path != ["vendor"] || !isVendorGiven
            else { return error }
            var error = error
            error.message = "\(Input.quoted(self.name)), line \(line): \(error.message)"
            return error
        }
    }

    /// The ends of the environment's names of secrets: `serviceAccount` is `SERVICE_ACCOUNT` there.
    private static let secretNames = Vendor.all.flatMap { vendor in
        vendor.type.settings.filter { $0.form == .secret }.map { setting in
            setting.name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
        }
    }

    /// - Parameters:
    ///   - file: JSON; nil for none.
    ///   - vendor: overrides the environment and the file; the default is JPush.
    ///   - isRouter: the file has the routes of a router.
    init(file: String?, vendor: String?, isRouter: Bool = false) async throws(PushError) {
        let secrets = SecretsSpecifier<String, String>.dynamic { name, _ in
            Self.secretNames.contains { name.hasSuffix($0) }
        }
        let environment = EnvironmentVariablesProvider(secretsSpecifier: secrets)
            .prefixKeys(with: ConfigKey(["pushbridge"]))
        let chosen = vendor.map {
            [InMemoryProvider(name: "--vendor", values: ["vendor": ConfigValue(.string($0), isSecret: false)])]
        }
        let usual = InMemoryProvider(name: "default", values: ["vendor": "jpush"])
        let before: [any ConfigProvider] = (chosen ?? []) + [environment]
        guard let file else {
            self.file = nil
            reader = ConfigReader(providers: before + [usual])
            return
        }
        let text: String
        do throws(PushError) { text = try Input.text(ofFile: file) } catch {
            throw PushError(.misconfigured, error.message)
        }
        let values: JSONValue
        do throws(PushError) { values = try Input.json(text) } catch {
            throw PushError(.misconfigured, "the file \(Input.quoted(file)): \(error.message)")
        }
        let settings = File(name: file, text: text, isVendorGiven: vendor != nil)
        self.file = settings
        let types = Vendor.all.map(\.type)
        do throws(PushError) {
            if isRouter {
                try PushRouter.checkNames(in: values, providers: types)
            } else {
                try PushClient.checkNames(in: values, providers: types)
            }
        } catch { throw settings.locating(error) }
        do {
            let place = ConfigReader(
                provider: InMemoryProvider(values: ["filePath": ConfigValue(.string(file), isSecret: false)]))
            let snapshot = try await FileProvider<JSONSnapshot>(config: place)
            reader = ConfigReader(providers: before + [snapshot, usual])
        } catch {
            // The library's own text may quote the file, which holds secrets.
            throw PushError(
                .misconfigured,
                "the file \(Input.quoted(file)) cannot be read as JSON settings; does it mix numbers and texts in one list?"
            )
        }
    }

    func makeTransport() async throws(PushError) -> any HTTPTransport {
        try await ConfiguredTransport.make(reading: reader)
    }

    /// Creates a client of the vendor, which shuts down its transport.
    func makeClient(
        over transport: (any HTTPTransport)? = nil, adjusting adjust: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws(PushError) -> PushClient {
        do throws(PushError) {
            return try await PushClient.configured(
                from: reader, providers: Vendor.all.map(\.type), transport: transport, adjusting: adjust)
        } catch { throw located(error) }
    }

    /// Creates the router of the settings, with a client for each route.
    func makeRouter(bindings: any BindingStore) async throws(PushError) -> PushRouter {
        do throws(PushError) {
            return try await PushRouter.configured(
                from: reader, providers: Vendor.all.map(\.type), bindings: bindings)
        } catch { throw located(error) }
    }

    /// The name of a setting in the environment: `PUSHBRIDGE_JPUSH_APP_KEY` for `jpush.appKey`.
    static func environmentName(_ path: String) -> String { prefix + SettingsReader.environmentName(path) }

    private static let prefix = "PUSHBRIDGE_"

    /// The library knows neither the prefix of this program's names nor the lines of the file.
    private func located(_ error: PushError) -> PushError {
        guard error.kind == .misconfigured, error.vendor == nil else { return error }
        var error = file?.locating(error) ?? error
        error.message = error.message.replacing(#/([A-Z][A-Z0-9_]*) in the environment/#) {
            "\(Self.prefix)\($0.output.1) in the environment"
        }
        return error
    }

    /// The vendor of these settings, if they hold nothing of its app.
    func unsetVendor() async throws(PushError) -> Vendor? {
        let name = (try? await reader.fetchString(forKey: "vendor")) ?? "jpush"
        let vendor = try Vendor.named(name)
        for setting in vendor.type.settings {
            let key = ConfigKey([vendor.id.rawValue, setting.name])
            if (try? await reader.fetchString(forKey: key, isSecret: true)) != nil { return nil }
        }
        return vendor
    }
}
