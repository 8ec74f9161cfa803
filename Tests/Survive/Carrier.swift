import PushAdapter
import PushCurl
import PushHTTP2

/// A transport and its kind of connection.
enum Carrier: String, CaseIterable {
    case http1, plain, http2

    /// The order of the rounds. Every other round uses `HTTP2Transport`.
    static let turns: [Carrier] = [.http2, .http1, .http2, .plain]

    var text: String {
        switch self {
        case .http1: "libcurl over HTTP/1.1"
        case .plain: "libcurl without TLS"
        case .http2: "HTTP2Transport"
        }
    }

    /// The vendors that it reaches, in turn. APNs speaks only HTTP/2. Each list has the others' first vendor in another
    /// place. A run of one minute meets all of them: the first six here over HTTP/2, and three over each other carrier.
    var kinds: [HostileVendor.Kind] {
        switch self {
        case .http2:
            [.jpush, .apns, .fcm, .harmony, .huawei, .oppo, .engagelab, .vivo, .xiaomi, .honor, .tpns, .webpush]
        case .http1: [.webpush, .engagelab, .vivo, .huawei, .jpush, .xiaomi, .honor, .fcm, .oppo, .harmony, .tpns]
        case .plain: [.tpns, .xiaomi, .honor, .harmony, .webpush, .oppo, .engagelab, .fcm, .vivo, .jpush, .huawei]
        }
    }

    func transport(trusting caFile: String) throws(PushError) -> any HTTPTransport {
        guard self != .http2 else {
            var settings = HTTP2Configuration()
            settings.caFile = caFile
            settings.maxInFlight = 64
            return try HTTP2Transport(settings)
        }
        var settings = CurlConfiguration()
        settings.caFile = caFile
        settings.maxInFlight = 64
        return try CurlTransport(settings)
    }
}
