import Foundation
import Glibc
import Load
import PushCrypto

/// The server of the benchmarks: nginx on this machine with one worker, over TLS, with HTTP/1.1 and HTTP/2.
///
/// It reads the body, answers like JPush, or like APNs with 200 and nothing else, and counts connections. A second port
/// waits 50 ms before it answers, like a distant vendor. TLS has one version and one cipher, as the programs' own
/// choices differ.
final class Nginx {
    let caFile: String
    let port: UInt16
    let slowPort: UInt16
    private let statusPort: UInt16
    private let process = Process()

    init(_ folder: Folder) throws {
        let certificate = try SelfSignedCertificate()
        caFile = try folder.write("certificate.pem", certificate.certificate)
        let keyFile = try folder.write("key.pem", certificate.privateKey)
        port = try Self.freePort()
        slowPort = try Self.freePort()
        statusPort = try Self.freePort()
        // nginx counts ended streams in 8 bits. If 256 end at once, it forgets to reuse them, and searches longer and
        // longer lists. The lists stay short if its index is larger than the number of requests in a run.
        //
        // A client refuses keys that it had before, so nginx writes a new number into each response.
        let keyList = try folder.write("keys.json", Sample.keyReply(batch: "<!--# echo var='request_id' -->"))
        let file = try folder.write(
            "nginx.conf",
            """
            load_module /usr/lib/nginx/modules/ngx_http_echo_module.so;
            daemon off; worker_processes 1; worker_cpu_affinity 1; worker_rlimit_nofile 8192;
            pid \(folder.path)/nginx.pid; error_log stderr crit;
            events { worker_connections 4096; }
            http {
                access_log off; default_type application/json;
                client_body_temp_path \(folder.path)/body; proxy_temp_path \(folder.path)/proxy;
                fastcgi_temp_path \(folder.path)/fastcgi; uwsgi_temp_path \(folder.path)/uwsgi;
                scgi_temp_path \(folder.path)/scgi;
                keepalive_requests 1000000000; keepalive_timeout 600; client_body_buffer_size 128k;
                http2_max_concurrent_streams 1024; http2_streams_index_size 65536; http2_body_preread_size 128k;
                ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites TLS_AES_256_GCM_SHA384;
                ssl_certificate \(caFile); ssl_certificate_key \(keyFile);
                server {
                    listen 127.0.0.1:\(port) ssl http2 backlog=4096;
                    location /3/device/ { echo_read_request_body; default_type ''; add_header apns-id $http_apns_id; }
                    location = /v3/push { echo_read_request_body; echo '\(Sample.reply)'; }
                    location = /v3/push/cid { ssi on; ssi_types application/json; alias \(keyList); }
                }
                server {
                    listen 127.0.0.1:\(slowPort) ssl http2 backlog=4096;
                    location = /v3/push { echo_read_request_body; echo_sleep 0.05; echo '\(Sample.reply)'; }
                    location = /v3/push/cid { ssi on; ssi_types application/json; alias \(keyList); }
                }
                server { listen 127.0.0.1:\(statusPort); location / { stub_status; } }
            }
            """)
        // nginx ends with this program, even if something else kills it.
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig", "TERM", "/usr/sbin/nginx", "-c", file, "-e", "stderr"]
        try process.run()
        for _ in 0..<100 where (try? connections()) == nil { usleep(50_000) }
        _ = try connections()
    }

    var origin: String { "https://localhost:\(port)" }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// The number of connections opened since the start.
    func connections() throws -> Int {
        let status = try Command.run(
            "/usr/bin/curl", ["--silent", "--max-time", "5", "http://127.0.0.1:\(statusPort)/"])
        let lines = status.split(separator: "\n")
        guard lines.count > 2, let count = lines[2].split(separator: " ").first.flatMap({ Int($0) }) else {
            throw Command.Failure(description: "nginx does not report its state")
        }
        return count
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
            }
        }
        guard isBound else { throw Command.Failure(description: "no free port") }
        return UInt16(bigEndian: address.sin_port)
    }
}
