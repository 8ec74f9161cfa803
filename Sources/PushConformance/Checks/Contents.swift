import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// The contents of messages.
    static let contents: [ConformanceCheck] = [
        ConformanceCheck(
            .behavior, "content.notification", "A notification arrives with title and text.",
            needs: [.send, .contentNotification, .audienceDevices]
        ) { world in
            _ = try await world.client.send(
                Message(notification: Notification(title: "Shop", body: "Shipped")), to: .devices(world.deviceIDs))
            for device in world.deviceIDs {
                let delivered = try await world.inbox(device).last
                try expectEqual(
                    [delivered?.title, delivered?.alert], ["Shop", "Shipped"], "title and text", hint: "both")
                try expectEqual(delivered?.custom, nil, "the custom message", hint: "there is none")
            }
        },
        ConformanceCheck(
            .behavior, "content.platforms", "A notification's text for one platform appears on that platform only.",
            needs: [.send, .contentNotification, .audienceDevices]
        ) { world in
            let notification = Notification(
                body: "all", ios: IOSNotification(body: "apple"), android: AndroidNotification(body: "robot"))
            _ = try await world.client.send(Message(notification: notification), to: .devices(world.deviceIDs))
            for device in world.devices {
                let expected: [Platform: String] = [.ios: "apple", .android: "robot"]
                try expectEqual(
                    try await world.inbox(DeviceID(device.id)).last?.alert, expected[device.platform] ?? "all",
                    "the text on \(device.platform)", hint: "a platform's own text overrides the common one")
            }
        },
        ConformanceCheck(
            .behavior, "content.localized",
            "A key for one platform is what its phones translate; they do not show the text of the others.",
            needs: [.send, .contentNotification, .audienceDevices]
        ) { world in
            let fields = world.provider.capabilities.fields
            let key = Text.localized(key: "ARRIVES", arguments: ["Tuesday"])
            for device in world.devices {
                var notification = Notification(title: "Parcel", body: "It arrives soon")
                switch device.platform {
                case .ios: notification.ios = IOSNotification(title: key, body: key)
                case .android: notification.android = AndroidNotification(title: key, body: key)
                default: continue
                }
                let isMeant = ["title", "body"].map { MessageField("\(device.platform).\($0).localized") }
                let (message, audience) = (Message(notification: notification), Audience.devices([DeviceID(device.id)]))
                guard fields.isSuperset(of: isMeant) else {
                    try await world.expectRefusal(
                        "a key for \(device.platform)", as: [.unsupported], hint: "\(isMeant[0]) is not declared"
                    ) { () async throws(PushError) in try await world.client.send(message, to: audience) }
                    continue
                }
                _ = try await world.client.send(message, to: audience)
                let delivered = try await world.inbox(DeviceID(device.id)).last
                try expectEqual(
                    [delivered?.title, delivered?.alert], ["ARRIVES", "ARRIVES"], "what \(device.platform) translates",
                    hint: "a phone that gets a text and a key shows the text; send one of them")
            }
        },
        ConformanceCheck(
            .behavior, "content.badge",
            "A badge on Android is what the message sets, or grows by what it adds, or is refused by name.",
            needs: [.send, .contentNotification, .audienceDevices]
        ) { world in
            guard let device = world.devices.first(where: { $0.platform == .android }) else { return }
            let audience = Audience.devices([DeviceID(device.id)])
            for (form, badge, shown) in [("set", Badge.set(2), [2, 2, 2]), ("add", .change(by: 1), [3, 4, 5])] {
                let field = MessageField.android("badge").form(form)
                let message = Message(
                    notification: Notification(title: "T", body: "B", android: AndroidNotification(badge: badge)))
                guard world.provider.capabilities.fields.contains(field) else {
                    try await world.expectRefusal(of: field, in: message, to: audience)
                    continue
                }
                var badges: [Int?] = []
                for _ in shown {
                    _ = try await world.client.send(message, to: audience)
                    badges.append(try await world.inbox(DeviceID(device.id)).last?.badge)
                }
                // A vendor may count from its own number, not from the one that a message has set.
                let base = form == "add" ? (badges.first ?? nil).map { $0 - 3 } ?? 0 : 0
                try expectEqual(
                    badges, shown.map { $0 + base }, "the number on the icon",
                    hint: "setting is not adding; refuse the one that the vendor has not")
            }
        },
        ConformanceCheck(
            .behavior, "content.tap",
            "A tap opens on the phone what the message says, or the message is refused by name; otherwise the app.",
            needs: [.send, .contentNotification, .audienceDevices]
        ) { world in
            guard let device = world.devices.first(where: { $0.platform == .android }) else { return }
            let audience = Audience.devices([DeviceID(device.id)])
            let taps: [TapAction] = [
                .link("https://example.com/order/7"), .intentURI("myapp://order/7"),
                .intentAction("com.example.ORDER"), .activity("com.example.OrderActivity"),
            ]
            for tap in [nil] + taps.map(Optional.some) {
                let message = Message(
                    notification: Notification(title: "T", body: "B", android: AndroidNotification(tap: tap)))
                let field = tap.map { MessageField.android("tap").form($0.name) }
                if let field, !world.provider.capabilities.fields.contains(field) {
                    try await world.expectRefusal(of: field, in: message, to: audience)
                    continue
                }
                _ = try await world.client.send(message, to: audience)
                let delivered = try await world.inbox(DeviceID(device.id)).last
                try expectEqual(
                    delivered?.tap, tap, "what a tap opens",
                    hint: "an address, an intent's action and a class are different things to Android")
            }
        },
        ConformanceCheck(
            .behavior, "content.textless", "A badge without a text arrives alone, or is refused for lack of a text.",
            needs: [.send, .contentNotification, .audienceDevices]
        ) { world in
            guard let device = world.devices.first(where: { $0.platform == .ios }) else { return }
            let message = Message(notification: Notification(ios: IOSNotification(badge: .set(3))))
            let id = DeviceID(device.id)
            guard
                try await world.sendOrRefuse(
                    message, to: .devices([id]), refusedAs: [.unsupported, .invalidArgument])
            else {
                let refusals = world.client.explain(message, to: .devices([id])).refusals
                return try expect(
                    refusals.first.map { $0.message.contains("body") || $0.message.contains("badge") } ?? false,
                    "a refusal that names the body, or the badge", actual: "\(refusals)", hint: "say what is missing")
            }
            let delivered = try await world.inbox(id).last
            try expectEqual(delivered?.badge, 3, "the badge", hint: "it needs no text")
            try expectEqual(delivered?.alert, nil, "the text", hint: "there is none")
            let sample = try world.sample(of: .send, device: id, message: message)
            guard case .bytes(let body, _)? = sample?.request.body else { return }
            try expect(
                !String(decoding: body, as: UTF8.self).contains(":\"\""), "no empty text in the request", actual: "one",
                hint: "leave out what is not said")
        },
        ConformanceCheck(
            .behavior, "content.custom", "A custom message arrives whole, without a notification.",
            needs: [.send, .contentCustom, .audienceDevices]
        ) { world in
            let fields = world.client.capabilities.fields
            let custom = CustomMessage(
                content: "payload", title: fields.contains(.customTitle) ? "title" : nil,
                contentType: fields.contains(.customContentType) ? "type" : nil,
                extras: fields.contains(.customExtras) ? ["key": "value"] : [:])
            _ = try await world.client.send(Message(custom: custom), to: .devices([world.device]))
            let delivered = try await world.inbox(world.device).last
            try expectEqual(delivered?.custom, custom, "the custom message", hint: "with its own title and extras")
            try expectEqual(delivered?.alert, nil, "the notification", hint: "there is none")
        },
        ConformanceCheck(
            .behavior, "content.liveActivity", "A Live Activity update is accepted and delivered.",
            needs: [.send, .contentLiveActivity]
        ) { world in
            let device = try world.iosDevice()
            let audience = world.harness.samples.audiences[.contentLiveActivity] ?? .devices([device])
            _ = try await world.client.send(world.message(for: .contentLiveActivity), to: audience)
            try expectEqual(try await world.inbox(device).count, 1, "the updates received", hint: "exactly one")
        },
        ConformanceCheck(
            .behavior, "content.voip", "A VoIP push is accepted and delivered.", needs: [.send, .contentVoIP]
        ) { world in
            let device = try world.iosDevice()
            let audience = world.harness.samples.audiences[.contentVoIP] ?? .devices([device])
            _ = try await world.client.send(world.message(for: .contentVoIP), to: audience)
            try expectEqual(try await world.inbox(device).count, 1, "the pushes received", hint: "exactly one")
        },
        ConformanceCheck(
            .behavior, "content.badge.arithmetic", "Adding to a badge increases the number that the vendor keeps.",
            needs: [.send, .contentBadgeArithmetic, .audienceDevices]
        ) { world in
            guard let device = world.device(on: .ios) else { return try await world.expectNoBadge(.change(by: 1)) }
            for _ in 0..<2 {
                _ = try await world.client.send(world.message(for: .contentBadgeArithmetic), to: .devices([device]))
            }
            try expectEqual(try await world.inbox(device).map(\.badge), [1, 2], "the badges", hint: "+1 is not 1")
        },
        ConformanceCheck(
            .behavior, "content.badge.set", "Setting a badge replaces its old number.",
            needs: [.send, .contentNotification, .audienceDevices]
        ) { world in
            guard let device = world.device(on: .ios) else { return try await world.expectNoBadge(.set(5)) }
            for badge in [5, 0] {
                let ios = IOSNotification(badge: .set(badge))
                let message = Message(notification: Notification(body: "n", ios: ios))
                guard try await world.sendOrRefuse(message, to: .devices([device])) else { return }
            }
            try expectEqual(
                try await world.inbox(device).map(\.badge), [5, 0], "the badges", hint: "0 is also a badge")
        },
    ]
}

extension World {
    /// Expects that a message with a field that the adapter does not declare is refused by the field's name.
    fileprivate func expectRefusal(
        of field: MessageField, in message: Message, to audience: Audience
    ) async throws {
        let error = try await expectError("\(field)", hint: "it is not declared") { () async throws(PushError) in
            try await client.send(message, to: audience)
        }
        try expect(
            error.kind == .unsupported && error.message.contains("\(field)"), "a refusal of \(field)",
            actual: "\(error)", hint: "it is not declared")
    }
}
