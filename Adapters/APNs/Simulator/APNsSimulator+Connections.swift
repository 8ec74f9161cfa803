public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// Connections, with Apple's rules for each.
extension APNsSimulator: HTTP2Simulator {
    /// Allows one stream at first, or the full number with a certificate. A certificate of the other environment gets
    /// GOAWAY.
    public func opened(_ connection: SimulatedConnection, at now: Date) -> [ConnectionSignal] {
        let state = ConnectionState(identity(of: connection), settings)
        connections[connection.id] = state
        return state.signalsAtStart(settings)
    }

    /// Forgets the connection.
    public func closed(_ connection: SimulatedConnection) { connections[connection.id] = nil }

    /// The state of a connection. A request without a connection gets a new state, which is not kept.
    func state(of connection: SimulatedConnection?) -> ConnectionState {
        guard let connection else { return ConnectionState(.none, settings) }
        return connections[connection.id] ?? ConnectionState(identity(of: connection), settings)
    }

    private func identity(of connection: SimulatedConnection) -> ConnectionState.Identity {
        guard let der = connection.certificate else { return .none }
        guard let certificate = certificates[der], certificate.isValid else { return .invalid }
        return (certificate.environment ?? environment) == environment ? .known(certificate) : .foreign
    }
}
