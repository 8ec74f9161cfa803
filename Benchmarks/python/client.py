"""The vendor's own Python library under the same load. It takes the same arguments as the other programs."""
import json
import os
import resource
import sys
import time

url, ca_file, _, _, seconds, _, devices = sys.argv[1:8]
os.environ["REQUESTS_CA_BUNDLE"] = ca_file

import jpush  # noqa: E402  (reads the environment)
from jpush import common  # noqa: E402

common.ZONES["DEFAULT"]["PUSH"] = url[: -len("push")]
push = jpush.JPush("0123456789abcdef01234567", "secretsecretsecretsecret").create_push()
push.audience = jpush.audience(
    jpush.registration_id(*["190%016x" % (n * 0x9E3779B97F4A7C15 % 2**64) for n in range(int(devices))])
)
title, body = "Your order has left", "Parcel 2 of 3 is on its way and should arrive tomorrow before noon."
extras = {"order": "2024-000815", "screen": "parcel", "count": 3}
push.notification = jpush.notification(
    alert=body,
    android=jpush.android(alert=body, title=title, extras=extras),
    ios=jpush.ios(alert={"title": title, "body": body}, extras=extras),
)
push.platform = ["android", "ios"]
push.options = {"time_to_live": 3600, "apns_production": True}


def peak_kb():
    # Not from getrusage: that also counts what the parent process held before this program began.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def run(duration):
    usage, start, count = resource.getrusage(resource.RUSAGE_SELF), time.monotonic(), 0
    while time.monotonic() - start < duration:
        push.send()
        count += 1
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - usage.ru_utime - usage.ru_stime
    return {"requests": count, "seconds": time.monotonic() - start, "cpu": cpu, "peakKB": peak_kb()}


run(0.3)
print(json.dumps(run(float(seconds))))
