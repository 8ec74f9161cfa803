extension Capabilities {
    /// Declares that the vendor has no use for the class of a message, and for its template.
    public mutating func ignoreClasses(_ reason: String) {
        ignoredFields[.messageClass] = reason
        ignoredFields[.template] = reason
    }

    /// These capabilities of a vendor that passes the classes of messages on.
    /// - Parameters:
    ///   - makers: the phone makers whose words its adapter writes.
    ///   - reached: all phone makers that it passes messages to.
    public func passingClasses(to makers: Set<ProviderID>, reaching reached: Set<ProviderID>) -> Capabilities {
        var capabilities = self
        capabilities.classMakers = makers
        capabilities.classQuotas = ClassQuota.of(reached)
        return capabilities
    }
}
