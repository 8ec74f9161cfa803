import PushAdapter
import PushAdvisor
import PushConformance

extension Vendor {
    /// Adds the support of message classes by any of the vendor's apps: one for iPhones may ignore a field that one for
    /// Android carries.
    func addClasses(to capabilities: inout Capabilities) throws(PushError) {
        let apps = try harness.makeApps().map(\.provider.capabilities)
        for field in [MessageField.messageClass, .template] {
            if apps.contains(where: { $0.fields.contains(field) }) { capabilities.fields.insert(field) }
            if apps.contains(where: { $0.ignoredFields[field] == nil }) { capabilities.ignoredFields[field] = nil }
        }
        capabilities.classMakers = apps.reduce(into: []) { $0.formUnion($1.classMakers) }
        let rows = apps.map(\.classQuotas)
        if let most = rows.max(by: { $0.count < $1.count }) { capabilities.classQuotas = most }
    }
}

extension Matrix {
    /// Whether the vendors carry a message's class and its template.
    static func classes(_ columns: [Capabilities]) -> [[String]] {
        let fields: [(field: MessageField, label: String)] = [
            (.messageClass, "the class of a message"), (.template, "a template of phone makers"),
        ]
        return fields.map { field, label in
            [label] + columns.map { String($0.summary(of: field).prefix { $0 != ":" }) }
        }
    }

    /// How many notifications of a class phone makers show.
    static func rows(_ quotas: [ClassQuota]) -> [[String]] {
        quotas.map { quota in
            [
                quota.subject, quota.summary,
                quota.overflow == .dropped ? "accepted and not shown" : "refused by the maker", quota.source,
            ]
        }
    }

    static func json(_ quota: ClassQuota) -> JSONValue {
        var fields: [String: JSONValue] = [
            "maker": .string(quota.maker.rawValue), "holder": .string(quota.holder.rawValue),
            "counts": .string(quota.count.rawValue), "limit": JSONValue(integerLiteral: quota.limit),
            "overflow": .string(quota.overflow.rawValue), "source": .string(quota.source),
        ]
        fields["intent"] = quota.intent.map { .string($0.rawValue) }
        fields["category"] = quota.category.map { .string($0.rawValue) }
        return .object(fields)
    }
}
