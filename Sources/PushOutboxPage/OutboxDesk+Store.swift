import FoundationEssentials
import PushAdapter
import PushOutbox
import PushPages

/// Who works on the outbox, and whether its store answers.
extension OutboxDesk {
    private static let mostSlices = 100

    func store() async -> JSONValue {
        let health = await page.outbox.health()
        var fields: [String: JSONValue] = [
            "now": Date.now.json, "allowsChanges": .bool(page.allowsChanges),
            "failure": .init(text: health.storeFailure), "isWorking": .bool(health.isWorking),
            "lastAccepted": health.lastAccepted?.json ?? .null, "routes": .array(health.routes.map(\.json)),
        ]
        guard health.isReady else { return .object(fields) }
        do throws(PushError) {
            let facts = try await page.outbox.facts()
            let slices = try await page.outbox.slicesInWork(limit: Self.mostSlices)
            fields["engine"] = .string(facts.engine)
            fields["version"] = JSONValue(facts.version)
            fields["workers"] = .array(facts.workers.map(\.json))
            fields["slices"] = .array(slices.map(\.json))
            fields["hasAllSlices"] = .bool(slices.count < Self.mostSlices)
        } catch {
            fields["failure"] = .string(error.message)
        }
        return .object(fields)
    }
}

extension OutboxHealth.Route {
    fileprivate var json: JSONValue {
        ["name": .string(name.rawValue), "restsUntil": restsUntil?.json ?? .null]
    }
}

extension OutboxFacts.Worker {
    fileprivate var name: String { host + (process.map { ", process \($0)" } ?? "") }

    fileprivate var json: JSONValue {
        [
            "name": .string(name), "isLate": .bool(isLate), "id": .init(text: id.map { String($0) }),
            "seconds": JSONValue(remaining.map { Int($0.components.seconds) }),
        ]
    }
}

extension SliceInWork {
    fileprivate var json: JSONValue {
        [
            "id": .string(id.description), "campaign": .string(campaign.rawValue), "route": .string(route.rawValue),
            "part": JSONValue(id.part), "number": JSONValue(id.number), "isSending": .bool(isSending),
            "open": JSONValue(open), "attempts": JSONValue(attempts), "worker": .init(text: worker?.name),
        ]
    }
}
