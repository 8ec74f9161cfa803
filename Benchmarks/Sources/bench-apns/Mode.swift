import Load
import PushAPNs
import PushAdapter
import PushClient
import PushHTTP2
import SampleAPNs

/// What is measured.
enum Mode: String {
    /// The transport alone, with a task for each push in flight.
    case transport
    /// A send to a list of tokens: the client, the adapter for APNs and the transport.
    case send

    func measure(_ load: FanOutArguments, on place: Place) async throws -> Measure {
        var configuration = HTTP2Configuration()
        configuration.caFile = load.caFile
        // This is also the client's window.
        configuration.maxInFlight = load.inFlight
        // The server allows that many requests on one connection.
        configuration.maxConnections = 1
        let transport = try HTTP2Transport(configuration)
        let executor: (any TaskExecutor)? = place == .own ? transport.executor : nil
        switch self {
        case .transport: return try await Self.requests(load, over: transport, on: executor)
        case .send: return try await Self.sends(load, over: transport, on: executor)
        }
    }

    private static func requests(
        _ load: FanOutArguments, over transport: HTTP2Transport, on executor: (any TaskExecutor)?
    ) async throws -> Measure {
        let (body, headers, source) = (try load.body(), try fields(load), PushSource(try load.urls()))
        let measure = try await Measure.load(load.inFlight, for: load.seconds, on: executor) {
            let push = source.next()
            var request = TransportRequest(
                method: .post, url: push.url, headers: headers, body: .json(body), timeout: .seconds(10))
            if let name = HTTPField.Name("apns-id") { request.headers.append(HTTPField(name: name, value: push.id)) }
            let response = try await transport.send(request)
            precondition(response.status == 200)
        }
        await transport.shutdown()
        return measure
    }

    /// The transport adds the type of the body itself.
    private static func fields(_ load: FanOutArguments) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in try load.headers() where name != "content-type" {
            guard let name = HTTPField.Name(name) else { continue }
            var field = HTTPField(name: name, value: value)
            // As in a request of the client: a secret stays out of the table of HPACK.
            if name == .authorization { field.indexingStrategy = .disallow }
            fields.append(field)
        }
        return fields
    }

    /// One send for the measured time, after two that show how long the list must be for that.
    private static func sends(
        _ load: FanOutArguments, over transport: HTTP2Transport, on executor: (any TaskExecutor)?
    ) async throws -> Measure {
        let apns = try APNs.sample(at: load.origin)
        guard try SamplePush(apns).body == load.body() else {
            throw PushError(.invalidArgument, "the body file is not what the adapter makes")
        }
        let message = try Sample.push(for: apns)
        let client = PushClient(apns, transport: transport)
        func send(_ count: Int) async throws -> Measure {
            let audience = Audience.devices(Sample.tokens(count))
            var options = SendOptions()
            options.keepsMessageIDs = false
            let (chosen, start) = (options, Usage())
            let report = try await withTaskExecutorPreference(executor) {
                try await client.send(message, to: audience, options: chosen)
            }
            let end = Usage()
            precondition(report.acceptedCount == count)
            return Measure(requests: count, from: start, to: end)
        }
        let few = max(2000, 4 * load.inFlight)
        // This one also opens the connection and makes the token.
        _ = try await send(few)
        let second = try await send(few)
        let measure = try await send(max(few, Int(Double(few) / second.seconds * load.seconds)))
        await client.shutdown()
        return measure
    }
}

/// Where the tasks run.
enum Place: String {
    /// In the pool that all tasks share.
    case shared
    /// On the transport's own thread.
    case own
}
