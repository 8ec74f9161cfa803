import Foundation
import PushAdapter
import PushCurl
import TestSupport

/// A headless Chromium, driven over the browsers' common protocol (W3C WebDriver). Every wait is bounded.
struct WebDriver: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    /// Keys without a character.
    enum Key: String {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case end = "\u{E010}"
        case home = "\u{E011}"
        case left = "\u{E012}"
        case right = "\u{E014}"
    }

    private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"
    private static let patience = Duration.seconds(60)

    private let transport: CurlTransport
    private let session: String

    /// Starts a browser with its own profile, and ends both afterwards.
    static func run(_ body: @Sendable (WebDriver) async throws -> Void) async throws {
        let profile = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: profile) }
        let program = try Program(try path(), ["--port=0"])
        guard let port = try await program.line(with: "started successfully on port")?.split(separator: " ").last else {
            let errors = await program.result().errors
            throw Failure("chromedriver did not start: \(errors)")
        }
        var settings = CurlConfiguration()
        settings.maxResponseBytes = 64 << 20
        // The browser may need long for a response, and sends nothing until then.
        settings.stallTimeout = patience
        let transport = try CurlTransport(settings)
        let result: Result<Void, any Error>
        do {
            let root = "http://127.0.0.1:\(port.filter(\.isNumber))/session"
            let driver = try await start(at: root, transport, profile.path)
            do {
                try await body(driver)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            // This ends the browser. The driver ends with its program.
            _ = try? await driver.call(.delete, "")
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        // A driver started from here ignores SIGTERM. Its browser has already ended.
        if program.isRunning { program.send(signal: SIGKILL) }
        _ = await program.result()
        try result.get()
    }

    private static func path() throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        let paths = folders.map { "\($0)/chromedriver" }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw Failure("chromedriver is not installed; run scripts/setup.sh chromium chromium-driver")
        }
        return path
    }

    private static func start(
        at root: String, _ transport: CurlTransport, _ profile: String
    ) async throws -> WebDriver {
        let arguments: [JSONValue] = [
            "headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu", .string("user-data-dir=\(profile)"),
        ]
        let wishes: JSONValue = [
            "capabilities": ["alwaysMatch": ["goog:chromeOptions": ["args": .array(arguments)]]]
        ]
        let value = try await call(transport, .post, root, wishes)
        guard let id = value["sessionId"]?.stringValue else { throw Failure("the browser did not start") }
        return WebDriver(transport: transport, session: "\(root)/\(id)")
    }

    // MARK: The page

    /// Opens an address. Returns when the page is loaded.
    func open(_ address: String) async throws { try await call(.post, "/url", ["url": .string(address)]) }

    /// Sets the size of the page, as on a phone's screen.
    func resize(width: Int, height: Int) async throws {
        let size: JSONValue = [
            "width": .init(integerLiteral: width), "height": .init(integerLiteral: height), "deviceScaleFactor": 1,
            "mobile": false,
        ]
        try await devTools("Emulation.setDeviceMetricsOverride", size)
    }

    /// Sets the system's preferred color scheme: `dark` or `light`.
    func prefer(_ scheme: String) async throws {
        try await devTools(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": .string(scheme)]]])
    }

    /// Keeps pages from running scripts of their own, from the next one that is opened.
    func forbidScripts() async throws {
        try await devTools("Emulation.setScriptExecutionDisabled", ["value": true])
    }

    /// Runs a script in every page that is opened from now on, before the page's own.
    func prepare(_ script: String) async throws {
        try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    /// Runs a script in the page and returns its result.
    @discardableResult
    func run(_ script: String, _ arguments: [JSONValue] = []) async throws -> JSONValue {
        try await call(.post, "/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Waits until a JavaScript expression is true. Fails after two minutes.
    func wait(until expression: String) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while try await run("return Boolean(\(expression))") != true {
            guard ContinuousClock.now < end else {
                let text = try await run("return document.body.innerText.slice(0, 2000)").stringValue ?? ""
                throw Failure("it does not come to hold: \(expression)\n\(text)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Saves a screenshot to the artifacts folder, if one is set.
    func keepScreenshot(as name: String) async throws {
        let wanted = ProcessInfo.processInfo.environment["PUSHBRIDGE_ARTIFACTS"]
        let folder =
            wanted.map { URL(filePath: $0) }
            ?? FileManager.default.temporaryDirectory.appending(path: "pushbridge-artifacts")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "\(name).png")
        try await screenshot().write(to: file)
        print("screenshot: \(file.path)")
    }

    /// A PNG picture of the visible part.
    private func screenshot() async throws -> Data {
        let value = try await call(.get, "/screenshot")
        guard let data = value.stringValue.flatMap({ Data(base64Encoded: $0) }) else {
            throw Failure("the screenshot is not Base64")
        }
        return data
    }

    // MARK: The user

    /// Clicks the first element of a CSS selector.
    func click(_ selector: String) async throws {
        let element = try await find(selector)
        try await call(.post, "/element/\(element)/click", [:])
    }

    /// Types a text into the first element of a CSS selector.
    func type(_ text: String, into selector: String) async throws {
        let element = try await find(selector)
        try await call(.post, "/element/\(element)/value", ["text": .string(text)])
    }

    /// Presses a key at the current focus.
    func press(_ key: Key) async throws {
        let strokes: [JSONValue] = ["keyDown", "keyUp"].map { ["type": .string($0), "value": .string(key.rawValue)] }
        let keyboard: JSONValue = ["type": "key", "id": "keyboard", "actions": .array(strokes)]
        try await call(.post, "/actions", ["actions": [keyboard]])
    }

    /// Says yes to the page's question.
    func agree() async throws { try await call(.post, "/alert/accept", [:]) }

    // MARK: The protocol

    private func find(_ selector: String) async throws -> String {
        let value = try await call(.post, "/element", ["using": "css selector", "value": .string(selector)])
        guard let id = value[Self.elementKey]?.stringValue else { throw Failure("there is no \(selector)") }
        return id
    }

    private func devTools(_ command: String, _ parameters: JSONValue) async throws {
        try await call(.post, "/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    @discardableResult
    private func call(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue
    {
        try await Self.call(transport, method, session + path, body)
    }

    private static func call(
        _ transport: CurlTransport, _ method: HTTPRequest.Method, _ address: String, _ body: JSONValue?
    ) async throws -> JSONValue {
        let response = try await transport.send(
            TransportRequest(
                method: method, url: address, body: body.map { .json(JSONWriter.bytes(of: $0)) } ?? .none,
                timeout: patience))
        let value = try response.json()["value"] ?? .null
        guard response.isSuccess else {
            let error = value["error"]?.stringValue ?? "HTTP \(response.status)"
            throw Failure("\(error): \((value["message"]?.stringValue ?? "").prefix(400))")
        }
        return value
    }
}
