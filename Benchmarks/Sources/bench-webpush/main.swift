import Glibc
import Load
import PushAdapter

// Pushes to browsers. Prints one line of JSON for each measurement.
// Usage: bench-webpush encrypt SECONDS   makes pushes and sends none: the encryption for each of 100 subscriptions
//        bench-webpush list [COUNT]      sends to 20,000 subscriptions over TLS, to a simulator in this process
//        bench-webpush million [COUNT]   sends to a million subscriptions, to a service in memory
let texts = Array(CommandLine.arguments.dropFirst())
switch (texts.first, texts.count) {
case ("encrypt", 2): try Pushes.encrypt(for: Double(texts[1]) ?? 1).report()
case ("list", 1...2): try await Pushes.list(count: texts.count == 2 ? Int(texts[1]) ?? 0 : 20_000)
case ("million", 1...2): try await Pushes.million(count: texts.count == 2 ? Int(texts[1]) ?? 0 : 1_000_000).report()
default:
    print("usage: bench-webpush encrypt SECONDS | list [COUNT] | million [COUNT]")
    exit(2)
}
