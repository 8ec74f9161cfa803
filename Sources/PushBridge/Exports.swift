@_exported public import PushClient
@_exported public import PushCore
@_exported public import PushCurl
@_exported public import PushHTTP2
