// The model speaks of methods, statuses and header fields in these types: who imports the core has them.
@_exported public import HTTPTypes
