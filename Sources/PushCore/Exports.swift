// The model uses these types for methods, statuses and header fields, so importing the core imports them.
@_exported public import HTTPTypes
