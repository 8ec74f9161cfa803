// The key and the receipts are the same for both of Huawei's adapters.
@_exported public import struct HuaweiDialect.HuaweiReceipts
@_exported public import struct HuaweiDialect.HuaweiServiceAccount
