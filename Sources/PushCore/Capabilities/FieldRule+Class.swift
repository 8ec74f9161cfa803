extension FieldRule where Value == MessageClass {
    /// A category that fits the intent.
    static var category: FieldRule {
        FieldRule(
            "a category of the intent, or one of your own",
            violations: [
                MessageClass(.service, .news), MessageClass(.marketing, .order), MessageClass(.service, ""),
                MessageClass(.service, "a\u{1}b"),
            ]
        ) { given in
            if let fault = FieldRule<String>.name.fault(given.category.rawValue) { return fault }
            guard let intent = given.category.intent, intent != given.intent else { return nil }
            return (
                .invalidArgument, "has the intent \(given.intent.rawValue) and a category of \(intent.rawValue)"
            )
        }
    }
}

extension FieldRule where Value == MessageClass.Template {
    static var template: FieldRule {
        FieldRule(
            "an id at one maker or more; no id and no name of a value is empty",
            violations: [
                MessageClass.Template(ids: [:]), MessageClass.Template(ids: ["maker": ""]),
                MessageClass.Template(ids: ["maker": "1"], bodyValues: ["": "value"]),
            ]
        ) { template in
            if template.ids.isEmpty { return (.invalidArgument, "has no id") }
            if template.ids.values.contains(where: { FieldRule<String>.name.fault($0) != nil }) {
                return (.invalidArgument, "has an id that is empty, or with a control character")
            }
            let names = [String](template.titleValues.keys) + template.bodyValues.keys
            return names.contains("") ? (.invalidArgument, "has a value without a name") : nil
        }
    }
}
