public import PushAdapter

extension Coverage {
    /// A vendor that reaches a part of a population.
    public struct Option: Sendable {
        /// How near a vendor is to the devices; nearer is less.
        public enum Distance: Int, Sendable, Hashable {
            /// The vendor of these devices only.
            case own
            /// A vendor of several platforms.
            case several
            /// A vendor that passes messages on to phone makers.
            case passing
        }

        /// How near the vendor is to the devices.
        public let distance: Distance
        /// The vendor, and how it meets the needs of these devices.
        public let candidate: Candidate
        /// Whether the phone maker gets the class of a message; nil for devices without classes.
        public let passesClass: Bool?
        /// How many notifications of a class the phone maker shows a day.
        public let quotas: [ClassQuota]
        /// The rules of the phone maker that begin on a day.
        public let datedRules: [DatedRule]

        init(_ candidate: Candidate, to part: Population.Part) {
            self.candidate = candidate
            distance = candidate.vendor.distance
            passesClass = candidate.vendor.passesClass(to: part)
            quotas = candidate.vendor.capabilities.classQuotas.filter { $0.maker == part.maker }
            datedRules = candidate.datedRules.filter { $0.maker == part.maker }
        }

        /// The name of the vendor.
        public var vendor: ProviderID { candidate.vendor.id }

        /// The vendors that reach a part, best first: by the part's unmet needs, then those without a note, then by their
        /// distance, then those that pass the class of a message on, then in their order.
        static func all(to part: Population.Part, among vendors: [VendorProfile]) -> [Option] {
            let near = vendors.filter { $0.reach.contains(part.platform) }.enumerated().sorted { left, right in
                (left.element.rank(for: part) + [left.offset])
                    .lexicographicallyPrecedes(right.element.rank(for: part) + [right.offset])
            }
            return part.requirements.of(part).rank(near.map { $0.element.serving(part) }).map { Option($0, to: part) }
        }
    }
}

extension Requirements {
    /// Without needs of a message's class, for devices that have none.
    fileprivate func of(_ part: Population.Part) -> Requirements {
        guard part.maker == nil else { return self }
        let classes: Set<Need> = [.field(.messageClass), .field(.template)]
        return Requirements(items.filter { !classes.isSuperset(of: $0.needs) }, regions: regions)
    }
}

extension VendorProfile {
    fileprivate var distance: Coverage.Option.Distance {
        reach.count == 1 ? .own : capabilities.makers.isEmpty ? .several : .passing
    }

    fileprivate func passesClass(to part: Population.Part) -> Bool? {
        part.maker.map(capabilities.classMakers.contains)
    }

    fileprivate func rank(for part: Population.Part) -> [Int] {
        [distance.rawValue, passesClass(to: part) == false ? 1 : 0]
    }

    /// The vendor as it serves the part: without the class of a message if the maker does not get it.
    fileprivate func serving(_ part: Population.Part) -> VendorProfile {
        guard let maker = part.maker, passesClass(to: part) == false else { return self }
        var profile = self
        profile.capabilities.withholdClasses(from: maker)
        for index in variants.indices { profile.variants[index].capabilities.withholdClasses(from: maker) }
        return profile
    }
}

extension Capabilities {
    fileprivate mutating func withholdClasses(from maker: ProviderID) {
        for field in [MessageField.messageClass, .template] {
            fields.remove(field)
            absentFields[field] = "the adapter does not write it for \(maker)"
        }
    }
}
