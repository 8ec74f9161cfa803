import PushAdapter
import PushSimulation

extension ConformanceCheck {
    /// The declarations of an adapter.
    static let declaration: [ConformanceCheck] = [
        ConformanceCheck(
            .declaration, "id", "The provider's id is one word of lowercase letters and digits.", isSafeLive: true
        ) { world in
            let id = world.provider.id.rawValue
            try expect(
                !id.isEmpty && id.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) },
                "an id such as jpush", actual: id, hint: "options, configuration and metrics use it as a key")
        },
        ConformanceCheck(
            .declaration, "dataCenter",
            "The data center has an absolute address for every call, without a trailing slash.",
            isSafeLive: true
        ) { world in
            for sample in try world.sampleCalls() {
                let address = try world.provider.dataCenter.address(of: sample.request.service)
                try expect(
                    address.hasPrefix("https://") && !address.hasSuffix("/"), "https://host/path", actual: address,
                    hint: "\(sample.operation) uses the service \(sample.request.service)")
            }
        },
        ConformanceCheck(
            .declaration, "roles", "Every operation declared native has a role that implements it.",
            isSafeLive: true
        ) { world in
            for (operation, isImplemented) in Roles.operations.sorted(by: { $0.key < $1.key })
            where world.provider.capabilities[operation] == .native {
                try expect(
                    isImplemented(world.provider.roles), "a role for \(operation)", actual: "nil",
                    hint: "implement it, or declare it unsupported")
            }
        },
        ConformanceCheck(
            .declaration, "capabilities", "Every implemented role has an operation declared native.", isSafeLive: true
        ) { world in
            // The operations of one role are implemented together: one of them must be declared.
            let families: [[Feature]] = [
                [.send], [.validate], [.mintKeys],
                [.readTags, .testTag, .addTags, .removeTags, .replaceTags, .clearTags], [.addMembers, .removeMembers],
                [.readAlias, .setAlias, .removeAlias], [.readAliasDevices, .deleteAlias],
                [.updateDevice], [.readPhone, .setPhone, .removePhone],
                [.readAccounts, .readAccountDevices, .addAccounts, .removeAccounts, .replaceAccounts, .clearAccounts],
                [.readAttributes, .addAttributes, .removeAttributes, .replaceAttributes, .clearAttributes],
                [.createSchedule, .readSchedule, .listSchedules, .removeSchedule], [.readDeliveries],
                [.probeCredentials],
            ]
            for family in families where Roles.operations[family[0]]?(world.provider.roles) == true {
                try expect(
                    family.contains { world.provider.capabilities[$0] == .native },
                    "one of \(family) declared as native", actual: "none", hint: "an undeclared role is dead code")
            }
        },
        callerKeys,
        ConformanceCheck(
            .declaration, "operations", "An exchange names the operation that it was made for.", isSafeLive: true
        ) { world in
            for operation in Roles.operations.keys.sorted() {
                guard let sample = try world.sample(of: operation) else { continue }
                try expectEqual(
                    sample.operation, operation, "the operation", hint: "quotas, logs and errors use this name")
            }
        },
        ConformanceCheck(
            .declaration, "inputs",
            "An exchange lists its caller's inputs, so that the client can refuse wrong ones.",
            isSafeLive: true
        ) { world in
            let limits = world.provider.capabilities.limits
            let wrong: [(what: String, operations: [Feature], make: (Feature) throws(PushError) -> ErasedExchange?)] = [
                (
                    "an empty device id", World.deviceOperations,
                    { (operation) throws(PushError) in try world.sample(of: operation, device: "") }
                ),
                (
                    "an empty tag", [.testTag, .addTags, .removeTags, .replaceTags],
                    { (operation) throws(PushError) in try world.sample(of: operation, tags: [""]) }
                ),
                (
                    "an empty alias", [.setAlias, .readAliasDevices, .deleteAlias],
                    { (operation) throws(PushError) in try world.sample(of: operation, alias: "") }
                ),
                (
                    "an empty account", [.readAccountDevices, .addAccounts, .removeAccounts, .replaceAccounts],
                    { (operation) throws(PushError) in
                        try world.sample(of: operation, account: Account(name: "", type: world.accounts[0].type))
                    }
                ),
                (
                    "an empty message", [.send, .validate, .createSchedule],
                    { (operation) throws(PushError) in try world.sample(of: operation, message: Message()) }
                ),
                (
                    "an empty audience", [.send, .validate, .createSchedule],
                    { (operation) throws(PushError) in try world.sample(of: operation, audience: .tagged()) }
                ),
            ]
            for (what, operations, make) in wrong {
                for operation in operations where world.provider.capabilities[operation] == .native {
                    do throws(PushError) {
                        guard let sample = try make(operation) else { continue }
                        try limits.check(sample.exchange.inputs, of: world.provider.id)
                    } catch {
                        continue
                    }
                    throw ConformanceFailure(
                        expected: "\(what) among the inputs of \(operation)", actual: "nothing to refuse",
                        hint: "name it in Exchange.inputs")
                }
            }
        },
        ConformanceCheck(
            .declaration, "reasons", "Every feature declared unsupported has a reason.", isSafeLive: true
        ) { world in
            for (feature, support) in world.provider.capabilities.support {
                guard case .unsupported(let reason) = support else { continue }
                try expect(!reason.isEmpty, "a reason for \(feature)", actual: "none", hint: "say what to use instead")
            }
        },
        ConformanceCheck(
            .declaration, "emulations", "Every feature declared emulated states its cost and its caveat.",
            isSafeLive: true
        ) { world in
            for (feature, support) in world.provider.capabilities.support {
                guard case .emulated(let recipe) = support else { continue }
                try expect(
                    !recipe.caveat.isEmpty && recipe.requests >= 1, "a caveat and a number of requests for \(feature)",
                    actual: "\(recipe)", hint: "callers need both to decide")
            }
        },
        ConformanceCheck(
            .declaration, "sending", "A provider that sends supports at least one kind of audience and of content.",
            needs: [.send], isSafeLive: true
        ) { world in
            let native = world.provider.capabilities.support.filter { $0.value == .native }.keys.map(\.rawValue)
            for kind in ["audience.", "content."] {
                try expect(
                    native.contains { $0.hasPrefix(kind) }, "a native feature \(kind)…", actual: "none",
                    hint: "without one, the client refuses every message")
            }
        },
        ConformanceCheck(
            .declaration, "limits",
            "Every declared limit has a positive number and a source, and a name of the model's or with the adapter's id.",
            isSafeLive: true
        ) { world in
            let model = Set(LimitKey.model.map(\.limit))
            for (limit, bound) in world.provider.capabilities.limits.all {
                try expect(
                    model.contains(limit) || limit.rawValue.hasPrefix("\(world.provider.id)."),
                    "\(limit) to begin with \(world.provider.id).", actual: "it does not",
                    hint: "two vendors' limits of one name would be taken for one")
                try expect(
                    bound.maximum > 0 && !bound.source.isEmpty, "a number and a source for \(limit)",
                    actual: "\(bound)",
                    hint: "name the page and its date; leave out what the vendor does not state")
            }
        },
        ConformanceCheck(
            .declaration, "characters", "Every set of allowed characters has a summary in words and a source.",
            isSafeLive: true
        ) { world in
            for limit in [LimitKey.tagLength, .aliasLength, .deviceIDLength] {
                guard let characters = world.provider.capabilities.limits[charactersOf: limit] else { continue }
                try expect(
                    !characters.summary.isEmpty && !characters.source.isEmpty, "a summary and a source for \(limit)",
                    actual: "\"\(characters.summary)\", \"\(characters.source)\"", hint: "refusals quote the summary")
            }
        },
        ConformanceCheck(
            .declaration, "quotas", "Every quota has a source, and every charge names a declared quota.",
            isSafeLive: true
        ) { world in
            let quotas = world.provider.capabilities.quotas
            for (bucket, quota) in quotas {
                try expect(
                    quota.limit > 0 && quota.seconds > 0 && !quota.source.isEmpty,
                    "a number, a window and a source for \(bucket)", actual: "\(quota)", hint: "name the page")
            }
            for sample in try world.sampleCalls() + [world.tokenRequest()].compactMap({ $0 }) {
                // A target with an address of its own has a quota for its origin, which no page states.
                let own: QuotaBucket? =
                    if case .origin(let origin, _) = sample.exchange.credential {
                        .origin(of: try TargetAddress(origin, mustBePublic: false))
                    } else { nil }
                for charge in sample.exchange.charges {
                    try expect(
                        (quotas[charge.bucket] != nil || charge.bucket == own) && charge.cost > 0,
                        "a positive cost in one of \(quotas.keys.sorted())",
                        actual: "\(charge.cost) of \(charge.bucket) for \(sample.operation)",
                        hint: "declare the quota or charge nothing")
                }
            }
        },
        ConformanceCheck(
            .declaration, "subjects", "A call about one device names it as its subject.", isSafeLive: true
        ) { world in
            for operation in World.deviceOperations {
                guard let sample = try world.sample(of: operation) else { continue }
                try expectEqual(
                    sample.exchange.subject, .device(world.device), "the subject of \(operation)",
                    hint: "the client applies minimum intervals to each subject")
            }
        },
        ConformanceCheck(
            .declaration, "minimumInterval", "A minimum interval is positive and belongs to a native operation.",
            isSafeLive: true
        ) { world in
            for (operation, interval) in world.provider.capabilities.minimumInterval {
                try expect(
                    interval > .zero && world.provider.capabilities[operation] == .native,
                    "a positive interval of a native operation",
                    actual: "\(interval) of \(operation)", hint: "the least time between two writes")
            }
        },
        ConformanceCheck(
            .declaration, "writeDelay", "A write delay belongs to a native operation with a subject.",
            isSafeLive: true
        ) { world in
            for (operation, time) in world.provider.capabilities.writeDelay {
                let sample = try world.sample(of: operation)
                try expect(
                    time >= .zero && sample?.exchange.subject != nil,
                    "a delay of a native operation with a subject", actual: "\(time) of \(operation)",
                    hint: "the client holds back calls about the same subject for this time")
            }
        },
        ConformanceCheck(
            .declaration, "idempotency",
            "Reads, validations and writes of a state are idempotent; without a key, sends and new schedules are not.",
            isSafeLive: true
        ) { world in
            for sample in try world.sampleCalls() {
                let acts: [Feature] = [.send, .createSchedule]
                let expected: Idempotency = acts.contains(sample.operation) ? .unkeyed : .idempotent
                try expectEqual(
                    sample.exchange.idempotency, expected, "the idempotency of \(sample.operation)",
                    hint: "the client retries idempotent calls after a lost response")
            }
        },
    ]
}
