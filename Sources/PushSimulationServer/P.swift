import Hummingbird
import HummingbirdHTTP2
import HummingbirdTLS

enum Placeholder {}
