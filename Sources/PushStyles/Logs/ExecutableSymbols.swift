#if DEBUG
    import FoundationEssentials
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// Reads the symbols of the running executable.
    enum ExecutableSymbols {
        private static let path = "/proc/self/exe"
        private static let longest = 4096

        /// The methods of a class by base name, each as `name(label:_:)`; empty if the executable cannot be read.
        ///
        /// A symbol starts with the mangled name of its class. The rest is demangled, because the mangled form of a
        /// name leaves out words that occurred before.
        static func methods(of type: AnyClass) -> [String: Set<String>] {
            guard let name = _mangledTypeName(type),
                let owner = Array("$s\(name)D".utf8).withUnsafeBytes({ demangled($0) }),
                let image = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
            else { return [:] }
            let prefix = Array("$s\(name)".utf8)
            var methods: [String: Set<String>] = [:]
            image.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
                guard let base = bytes.baseAddress else { return }
                var offset = 0
                while offset < bytes.count,
                    let hit = firstOccurrence(base + offset, bytes.count - offset, prefix, prefix.count)
                {
                    let start = hit - base
                    let limit = min(bytes.count, start + longest)
                    let end = bytes[start..<limit].firstIndex(of: 0) ?? limit
                    offset = end
                    guard let text = demangled(UnsafeRawBufferPointer(rebasing: bytes[start..<end])),
                        let found = method(in: text, of: owner)
                    else { continue }
                    methods[found.base, default: []].insert(found.name)
                }
            }
            return methods
        }

        /// The method of a class in a demangled symbol, as in `App.Screen.show(_: Swift.Int, now: Swift.Bool) -> ()`.
        private static func method(in text: String, of owner: String) -> (base: String, name: String)? {
            guard let place = text.firstRange(of: owner + ".") else { return nil }
            var rest = text[place.upperBound...]
            let base: Substring
            if rest.first == "(" {
                // A private method: `(show in _ABC)(Swift.Int)`.
                base = rest.dropFirst().prefix(while: isWord)
                guard let close = rest.firstIndex(of: ")") else { return nil }
                rest = rest[rest.index(after: close)...]
            } else {
                base = rest.prefix(while: isWord)
                rest = rest.dropFirst(base.count)
            }
            guard !base.isEmpty, rest.first == "(" else { return nil }
            return (String(base), "\(base)(\(labels(of: rest.dropFirst())))")
        }

        /// The labels of a parameter list that lacks its opening parenthesis.
        private static func labels(of list: Substring) -> String {
            var parameters: [String] = []
            var parameter = ""
            var depth = 0
            var last: Character = "("
            scan: for character in list {
                switch character {
                case ")" where depth == 0: break scan
                case "(", "[", "<": depth += 1
                case ")", "]": depth -= 1
                case ">" where last != "-": depth -= 1
                default: break
                }
                if character == ",", depth == 0 {
                    parameters.append(parameter)
                    parameter = ""
                } else {
                    parameter.append(character)
                }
                last = character
            }
            if !parameter.isEmpty { parameters.append(parameter) }
            return parameters.map { parameter in
                let text = parameter.drop { $0 == " " }
                let label = text.prefix(while: isWord)
                return text.dropFirst(label.count).first == ":" ? "\(label):" : "_:"
            }.joined()
        }

        private static func isWord(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || character == "_"
        }

        /// The runtime reads up to a NUL, regardless of the length.
        private static func demangled(_ symbol: UnsafeRawBufferPointer) -> String? {
            String(decoding: symbol, as: UTF8.self).withCString { name in
                guard let text = swiftDemangle(name, UInt(strlen(name)), nil, nil, 0) else { return nil }
                defer { free(text) }
                return String(cString: text)
            }
        }
    }

    /// The demangler of Swift's runtime. The caller frees the text.
    @_silgen_name("swift_demangle")
    private func swiftDemangle(
        _ name: UnsafePointer<CChar>, _ length: UInt, _ buffer: UnsafeMutablePointer<CChar>?,
        _ bufferSize: UnsafeMutablePointer<UInt>?, _ flags: UInt32
    ) -> UnsafeMutablePointer<CChar>?

    /// The search of the C library. A loop in Swift takes seconds here, because debug builds are not optimized.
    @_silgen_name("memmem")
    private func firstOccurrence(
        _ text: UnsafeRawPointer, _ length: Int, _ pattern: UnsafeRawPointer, _ patternLength: Int
    ) -> UnsafeRawPointer?
#endif
