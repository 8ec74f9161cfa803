import PushAdapter
import PushCrypto

/// The shared parts of all rounds.
struct World: Sendable {
    let dice: Dice
    let findings: Findings
    let clients: Clients
    let certificate: SelfSignedCertificate
    /// The file with the certificate.
    let caFile: String
    /// The file with the private keys of the clients.
    let keyFile: String
    /// How late after its deadline a call may end.
    let slack: Duration
}
