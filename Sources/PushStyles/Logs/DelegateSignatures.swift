#if DEBUG
    import PushAdapter
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif
#endif

/// Finds methods of delegates that are never called because their signature is wrong.
///
/// The optional methods of a delegate have defaults, so a method with a wrong label or type compiles, and the default
/// is called in its place. Every default records that here. In debug builds, the executable's symbols then show whether
/// the delegate's class has a method of the same base name. If so, a line on standard error says it, once per process
/// for each class and method.
///
/// This is a hint, not a proof. It misses a misspelt base name, generic methods, methods of a superclass, methods that
/// the compiler has removed, classes in a dynamic library, and stripped executables. An unrelated method of the same
/// base name gives a wrong hint.
enum DelegateSignatures {
    #if DEBUG
        private struct Memory: Sendable {
            /// The methods of classes by base name. The executable does not change, so each class is read once.
            var methods: [ObjectIdentifier: [String: Set<String>]] = [:]
            /// The methods of each class whose default was called before.
            var noted: [ObjectIdentifier: Set<String>] = [:]
        }

        /// Kept for the process, like classes and the executable: a finding is about the code, not about a session.
        private static let memory = Locked(Memory())
        /// Methods of delegates that share their base name: each is right, whichever default is called.
        private static let overloads: Set<String> = [
            "application(_:didFinishLaunchingWithOptions:)", "application(_:didReceiveRemoteNotification:)",
            "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)", "application(_:didReceive:)",
            "mtpNotificationCenter(_:willPresent:withCompletionHandler:)",
            "mtpNotificationCenter(_:didReceive:withCompletionHandler:)", "mtpNotificationCenter(_:openSettingsFor:)",
        ]
    #endif

    /// To be called by the default implementation of a delegate's method.
    static func noteDefault(of delegate: AnyObject, _ expected: String = #function) {
        #if DEBUG
            let type: AnyClass = type(of: delegate)
            let isNew = memory.withLock { $0.noted[ObjectIdentifier(type), default: []].insert(expected).inserted }
            if isNew, let finding = finding(in: type, expected) { print(finding) }
        #endif
    }

    #if DEBUG
        private static func finding(in type: AnyClass, _ expected: String) -> String? {
            let base = String(expected.prefix { $0 != "(" })
            let found = methods(of: type)[base, default: []].filter { $0 == expected || !overloads.contains($0) }
            guard let method = found.min() else { return nil }
            if method == expected {
                return "\(type) has a method \(method) with other types, which is never called; compare the types"
            }
            return "\(type) has a method \(method), which is never called; the delegate's method is \(expected)"
        }

        private static func methods(of type: AnyClass) -> [String: Set<String>] {
            let id = ObjectIdentifier(type)
            if let methods = memory.withLock({ $0.methods[id] }) { return methods }
            let methods = ExecutableSymbols.methods(of: type)
            memory.withLock { $0.methods[id] = methods }
            return methods
        }

        /// Writes a line in one call, so that lines of several threads do not mix.
        private static func print(_ finding: String) {
            let line = Array("PushStyles: \(finding)\n".utf8)
            _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    #endif
}
