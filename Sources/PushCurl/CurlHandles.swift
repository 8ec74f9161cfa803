import CLibcurl
import Glibc
import PushAdapter
import PushIO

/// Sets libcurl's options: those that never change once, the others for each request.
struct CurlHandles {
    let configuration: CurlConfiguration
    let sockets: CurlSockets
    private let authorities: AuthorityFile?

    /// Refuses a CA file that cannot be read with `misconfigured`.
    init(configuration: CurlConfiguration, sockets: CurlSockets) throws(PushError) {
        self.configuration = configuration
        self.sockets = sockets
        authorities = try configuration.authorities()
    }

    /// A handle with every option that is the same for all requests.
    func make() throws(PushError) -> UnsafeMutableRawPointer {
        guard let easy = pb_new_handle() else { throw PushError(.invalidState, "libcurl has no memory for a request") }
        do throws(PushError) {
            try setConstants(easy)
        } catch {
            pb_free_handle(easy)
            throw error
        }
        return easy
    }

    private func setConstants(_ easy: UnsafeMutableRawPointer) throws(PushError) {
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_PATH_AS_IS, 1),
            (CURLOPT_FOLLOWLOCATION, 0),
            (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
            (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            (CURLOPT_TCP_NODELAY, 1),
            (CURLOPT_TCP_KEEPALIVE, 1),
            // The default of 64 KB is cleared for every upload; 16 KB is one TLS record.
            (CURLOPT_UPLOAD_BUFFERSIZE, 16 << 10),
            (CURLOPT_CONNECTTIMEOUT_MS, max(1, configuration.connectTimeout.wholeMilliseconds)),
            (CURLOPT_MAXAGE_CONN, max(1, Int(configuration.maxIdleTime.components.seconds))),
            // A proxy's response to CONNECT is not a response to the request.
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            // A slow lookup is left to its thread; without this, the I/O thread waits for it at a timeout.
            (CURLOPT_QUICK_EXIT, 1),
            (CURLOPT_LOW_SPEED_LIMIT, 1),
            (CURLOPT_LOW_SPEED_TIME, max(1, Int(configuration.stallTimeout.components.seconds))),
        ]
        for (option, value) in numbers { try accept(pb_set_long(easy, option, value), "option \(option.rawValue)") }
        try accept(pb_set_text(easy, CURLOPT_PROTOCOLS_STR, "https,http"), "protocols")
        try configuration.checkUserAgent()
        try accept(pb_set_text(easy, CURLOPT_USERAGENT, configuration.userAgent), "the user agent")
        // Empty, not nil: nil would let the environment choose a proxy.
        let proxy = configuration.proxy?.withBytes { String(decoding: $0, as: UTF8.self) } ?? ""
        try accept(pb_set_text(easy, CURLOPT_PROXY, proxy), "the proxy")
        try accept(pb_set_text(easy, CURLOPT_NOPROXY, ""), "the proxy")
        if let authorities { try trust(authorities, easy) }
        // libcurl accepts any text, and then finds that no key matches it.
        if let pin = configuration.pinnedPublicKey, try !configuration.pins().isEmpty {
            try accept(pb_set_text(easy, CURLOPT_PINNEDPUBLICKEY, pin), "the pinned key")
        }
        try accept(pb_set_callback(easy, CURLOPT_WRITEFUNCTION, receiveBody), "callbacks")
        try accept(pb_set_callback(easy, CURLOPT_HEADERFUNCTION, receiveHeader), "callbacks")
        try accept(pb_set_prerequest(easy, beginRequest), "callbacks")
        try accept(pb_set_tls_setup(easy, requireHostNames), "callbacks")
        try accept(pb_set_lookup(easy, beginLookup), "callbacks")
        try accept(pb_set_open_socket(easy, openSocket), "callbacks")
        try accept(pb_set_close_socket(easy, closeSocket), "callbacks")
        // A connection may end long after its last transfer.
        pb_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(sockets).toOpaque())
        try accept(pb_set_long(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1), "the HTTP version")
    }

    private func trust(_ authorities: AuthorityFile, _ easy: UnsafeMutableRawPointer) throws(PushError) {
        // libcurl also trusts the system's folder of authorities unless it is unset.
        for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] {
            try accept(pb_set_text(easy, option, nil), "the CA file")
        }
        // libcurl keeps a file that it reads by its path for further connections; it reads a text again for each of
        // them.
        for (path, text) in [
            (CURLOPT_CAINFO, CURLOPT_CAINFO_BLOB), (CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAINFO_BLOB),
        ] {
            let code =
                authorities.isReadableAsItIs
                ? pb_set_text(easy, path, authorities.path)
                : authorities.text.withBytes { pb_set_blob(easy, text, $0.baseAddress, $0.count) }
            try accept(code, "the CA file")
        }
    }

    private func accept(_ code: CURLcode, _ what: String) throws(PushError) {
        guard code == CURLE_OK else {
            throw PushError(.misconfigured, "libcurl refuses \(what): \(String(cString: curl_easy_strerror(code)))")
        }
    }

    /// Sets the options that differ between requests; all of them each time, because handles are reused.
    func prepare(_ transfer: CurlTransfer) throws(PushError) {
        let (request, easy) = (transfer.call.request, transfer.easy)
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        pb_clear_error(easy)
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA, CURLOPT_RESOLVER_START_DATA,
            CURLOPT_OPENSOCKETDATA,
        ] {
            pb_set_pointer(easy, option, context)
        }
        pb_set_long(easy, CURLOPT_TIMEOUT_MS, max(1, (transfer.call.end - ContinuousClock.now).wholeMilliseconds))
        switch transfer.pass {
        case .connecting:
            pb_set_long(easy, CURLOPT_FRESH_CONNECT, 1)
            // The address has no secret, and libcurl does not write it.
            try accept(pb_set_text(easy, CURLOPT_URL, transfer.call.origin.text + "/"), "the address")
            pb_set_long(easy, CURLOPT_HTTPGET, 1)
            pb_set_text(easy, CURLOPT_CUSTOMREQUEST, nil)
            return
        case .sending(_, let isFresh): pb_set_long(easy, CURLOPT_FRESH_CONNECT, isFresh ? 1 : 0)
        }
        try accept(pb_set_text(easy, CURLOPT_URL, request.url), "the address")

        // The empty field stops libcurl from waiting for an interim response before it sends a long body.
        transfer.appendHeader("Expect", nil)
        for field in request.headers { transfer.appendHeader(field.name.rawName, field.value) }
        try setBody(transfer)
        pb_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        pb_set_pointer(easy, CURLOPT_HTTPHEADER, transfer.headerList)
    }

    private func setBody(_ transfer: CurlTransfer) throws(PushError) {
        let (request, easy) = (transfer.call.request, transfer.easy)
        pb_set_bytes(easy, CURLOPT_POSTFIELDS, nil)
        switch request.body {
        case .none where [.get, .delete, .head].contains(request.method):
            pb_set_long(easy, CURLOPT_HTTPGET, 1)
            if request.method == .head { pb_set_long(easy, CURLOPT_NOBODY, 1) }
        case .none:
            pb_set_long(easy, CURLOPT_POST, 1)
            pb_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, 0)
            pb_set_bytes(easy, CURLOPT_COPYPOSTFIELDS, "")
            transfer.appendHeader("Content-Type", nil)
        case .bytes(let bytes, let contentType):
            pb_set_long(easy, CURLOPT_POST, 1)
            pb_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
            transfer.appendHeader("Content-Type", contentType.isEmpty ? nil : contentType)
            try accept(pb_set_bytes(easy, CURLOPT_COPYPOSTFIELDS, bytes), "the body")
        case .multipart(let parts): try setParts(parts, easy, transfer)
        }
    }

    private func setParts(
        _ parts: [WirePart], _ easy: UnsafeMutableRawPointer, _ transfer: CurlTransfer
    ) throws(PushError) {
        transfer.mime = curl_mime_init(easy)
        for part in parts {
            let slot = curl_mime_addpart(transfer.mime)
            try accept(curl_mime_name(slot, part.name), "the part \(part.name)")
            switch part.content {
            case .bytes(let bytes):
                let code = bytes.withUnsafeBytes { curl_mime_data(slot, $0.baseAddress, $0.count) }
                try accept(code, "the part \(part.name)")
            case .file(let path):
                // Anything but a regular file, such as a pipe, could block the I/O thread.
                var facts = stat()
                guard access(path, R_OK) == 0, stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                    throw PushError(.invalidArgument, "the file \(Redaction.quoted(path)) cannot be read")
                }
                try accept(curl_mime_filedata(slot, path), "the part \(part.name)")
            }
            if let name = part.fileName { try accept(curl_mime_filename(slot, name), "the part \(part.name)") }
            if let type = part.contentType { try accept(curl_mime_type(slot, type), "the part \(part.name)") }
        }
        pb_set_pointer(easy, CURLOPT_MIMEPOST, transfer.mime.map { UnsafeMutableRawPointer($0) })
    }
}

// MARK: Callbacks

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private func receiveBody(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.receive(UnsafeRawBufferPointer(start: data, count: size * count)) ?? 0
}

private func receiveHeader(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.receiveHeader(UnsafeRawBufferPointer(start: data, count: size * count)) ?? 0
}

private func beginRequest(
    _ context: UnsafeMutableRawPointer?, _ remoteAddress: UnsafeMutablePointer<CChar>?,
    _ localAddress: UnsafeMutablePointer<CChar>?, _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
    transfer(context)?.begin(at: remoteAddress, local: localPort, remote: remotePort) ?? Int32(CURL_PREREQFUNC_ABORT)
}

private func beginLookup(
    _ state: UnsafeMutableRawPointer?, _ reserved: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    transfer(context)?.beginLookup() ?? 1
}

private func sockets(_ context: UnsafeMutableRawPointer?) -> CurlSockets? {
    context.map { Unmanaged<CurlSockets>.fromOpaque($0).takeUnretainedValue() }
}

private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let transfer = transfer(context), let address else { return CURL_SOCKET_BAD }
    let peer = pb_peer(address).flatMap { NetworkAddress($0) }
    guard transfer.mayConnect(to: peer) else { return CURL_SOCKET_BAD }
    return transfer.engine.sockets.make(address.pointee, isPublic: peer?.isPublic ?? false)
}

private func closeSocket(_ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t) -> Int32 {
    sockets(context)?.close(descriptor) ?? 1
}
