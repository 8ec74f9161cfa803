/// Room on a connection, kept for a request while its caller is asked whether it may leave. Belongs to the I/O thread.
final class HTTP2Place {
    let connection: HTTP2Connection

    init(on connection: HTTP2Connection) { self.connection = connection }
}
