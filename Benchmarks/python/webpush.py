"""pywebpush's encryption of the same message, for each of a hundred subscriptions. Argument: the seconds."""
import base64
import json
import os
import resource
import sys
import time

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pywebpush import WebPusher


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def subscription(number):
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {
        "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/%0180d" % number,
        "keys": {"p256dh": base64url(point), "auth": base64url(os.urandom(16))},
    }


subscriptions = [subscription(number) for number in range(100)]
notification = {
    "title": "Your order has left",
    "body": "Parcel 2 of 3 is on its way and should arrive tomorrow before noon.",
    "navigate": "https://news.example.com/orders",
    "data": {"order": "2024-000815", "screen": "parcel", "count": 3},
}
text = json.dumps({"web_push": 8030, "notification": notification}, separators=(",", ":")).encode()


def peak_kb():
    # Not from getrusage: that also counts what the parent process held before this program began.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def run(duration):
    usage, start, count = resource.getrusage(resource.RUSAGE_SELF), time.monotonic(), 0
    while time.monotonic() - start < duration:
        for one in subscriptions:
            WebPusher(one).encode(text)
        count += len(subscriptions)
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - usage.ru_utime - usage.ru_stime
    return {"requests": count, "seconds": time.monotonic() - start, "cpu": cpu, "peakKB": peak_kb()}


run(0.3)
print(json.dumps(run(float(sys.argv[1]))))
