/// The slot of a request that has a connection, while its caller is asked whether it may leave. Belongs to the I/O thread.
final class CurlPlace {
    /// Connections that were opened for it.
    let connections: Int

    init(connections: Int) { self.connections = connections }
}
