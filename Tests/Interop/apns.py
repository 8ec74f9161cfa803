"""Sends through `pushctl simulate apns` with two clients that are not ours: curl, with a token made by hand, and aioapns.

Only the address of the library is changed, to that of the simulator. Arguments: the path of pushctl.
"""

import asyncio
import base64
import contextlib
import json
import logging
import ssl
import subprocess
import sys
import time
import uuid

import aioapns
import aioapns.connection

PHONE, TABLET, TEST_PHONE, FOREIGN = ("7c1e" + f"{n:060x}" for n in (1, 2, 3, 4))
UNKNOWN = "7c1e" + "f" * 60
BUNDLE = "com.example.shop"
HELLO = {"aps": {"alert": {"title": "Shop", "body": "Hello"}, "badge": 1}, "order": 17}


@contextlib.contextmanager
def simulator(*options):
    """A simulator in a process of its own; gives what it prints."""
    arguments = [
        sys.argv[1], "simulate", "apns", "--with-parent", "--app-key", BUNDLE, "--device", f"{PHONE}:ios", "--device",
        f"{TABLET}:ios", "--device", f"{TEST_PHONE}:ios:development", "--foreign-device", f"{FOREIGN}:ios", *options,
    ]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(timeout=30)


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")
    print("ok ", what)


# curl, and a token made by hand.


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def raw_signature(der):
    """The two numbers of an elliptic signature, 32 bytes each, which openssl wraps as a sequence of integers."""
    first = 4
    count = der[first - 1]
    r = der[first:first + count]
    second = first + count + 2
    s = der[second:second + der[second - 1]]
    return b"".join(number.lstrip(b"\0").rjust(32, b"\0") for number in (r, s))


def token(fields, issued_at=None, der=False, algorithm="ES256"):
    header = base64url(json.dumps({"alg": algorithm, "kid": fields["keyID"]}).encode())
    claims = base64url(json.dumps({"iss": fields["teamID"], "iat": int(issued_at or time.time())}).encode())
    text = f"{header}.{claims}"
    signed = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", fields["keyFile"]], input=text.encode(), capture_output=True, check=True)
    return f"{text}.{base64url(signed.stdout if der else raw_signature(signed.stdout))}"


def curl(fields, path, *options, headers=(), body=HELLO, origin="production"):
    """The status, the header fields and the body of an answer; the version of HTTP is among the fields."""
    arguments = [
        "curl", "--silent", "--show-error", "--http2", "--cacert", fields["caFile"], "--include", "--max-time", "10",
        "--data", json.dumps(body), *options,
    ]
    for header in headers:
        arguments += ["--header", header]
    result = subprocess.run([*arguments, fields[origin] + path], capture_output=True, text=True)
    if result.returncode != 0:
        return result.returncode, {}, result.stderr
    head, _, rest = result.stdout.partition("\n\n")
    lines = head.split("\n")
    names = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    return int(lines[0].split()[1]), names | {"version": lines[0].split()[0]}, rest


def by_hand():
    with simulator() as fields:
        bearer = f"authorization: bearer {token(fields)}"
        own = str(uuid.uuid4())
        alert = [bearer, f"apns-topic: {BUNDLE}", "apns-push-type: alert"]

        status, names, body = curl(fields, f"/3/device/{PHONE}", headers=[*alert, f"apns-id: {own}"])
        expect(status == 200 and body == "" and names["version"] == "HTTP/2", "curl: a push is accepted over HTTP/2")
        expect(names.get("apns-id") == own, "curl: the answer repeats the id")
        status, names, _ = curl(fields, f"/3/device/{PHONE}", headers=alert)
        expect(status == 200 and len(names.get("apns-id", "")) == 36, "curl: a push without an id gets one")

        def refused(what, status, reason, path, headers, **options):
            answer = curl(fields, path, headers=headers, **options)
            expect(answer[0] == status and json.loads(answer[2])["reason"] == reason, f"curl: {what}: {answer[2]}")
            return json.loads(answer[2])

        refused("an unknown token", 400, "BadDeviceToken", f"/3/device/{UNKNOWN}", alert)
        refused("a token of the other environment", 400, "BadDeviceToken", f"/3/device/{TEST_PHONE}", alert)
        expect(
            curl(fields, f"/3/device/{TEST_PHONE}", headers=alert, origin="development")[0] == 200,
            "curl: it is accepted in its own environment")
        refused("another app's token", 400, "DeviceTokenNotForTopic", f"/3/device/{FOREIGN}", alert)
        refused("no token of ours", 403, "MissingProviderToken", f"/3/device/{PHONE}", alert[1:])
        refused("no topic", 400, "MissingTopic", f"/3/device/{PHONE}", [bearer, "apns-push-type: alert"])
        for what, wrong in [
            ("a signature in DER", token(fields, der=True)), ("another algorithm", token(fields, algorithm="HS256")),
        ]:
            headers = [f"authorization: bearer {wrong}", *alert[1:]]
            refused(what, 403, "InvalidProviderToken", f"/3/device/{PHONE}", headers)
        old = [f"authorization: bearer {token(fields, issued_at=time.time() - 3700)}", *alert[1:]]
        refused("a token of more than an hour", 403, "ExpiredProviderToken", f"/3/device/{PHONE}", old)
        refused(
            "4,097 bytes", 413, "PayloadTooLarge", f"/3/device/{PHONE}", alert,
            body={"aps": {"alert": ""}, "x": "y" * (4097 - len(json.dumps({"aps": {"alert": ""}, "x": ""})))})
        refused("another path", 404, "BadPath", "/4/device/" + PHONE, alert)
        status, _, body = curl(fields, f"/3/device/{PHONE}", "--request", "PUT", headers=alert)
        expect(status == 405 and json.loads(body)["reason"] == "MethodNotAllowed", f"curl: another method: {body}")
        status, _, error = curl(fields, f"/3/device/{PHONE}", "--http1.1", headers=alert)
        expect(status in (35, 52, 56), f"curl: HTTP/1.1 is not answered: {error.strip()}")


# aioapns.


def client(fields):
    aioapns.connection.APNsProductionClientProtocol.APNS_SERVER = "localhost"
    aioapns.connection.APNsProductionClientProtocol.APNS_PORT = int(fields["production"].rsplit(":", 1)[1])

    async def quiet(request, result):
        pass

    return aioapns.APNs(
        key=open(fields["keyFile"]).read(), key_id=fields["keyID"], team_id=fields["teamID"], topic=BUNDLE,
        # The library opens streams on a new connection before it knows the server's limit, and waits forever for those that are
        # refused. So it gets one connection, whose limit the first push raises.
        max_connections=1, ssl_context=ssl.create_default_context(cafile=fields["caFile"]), err_func=quiet)


async def by_library(fields):
    apns = client(fields)

    async def send(device, message=HELLO, **options):
        request = aioapns.NotificationRequest(device_token=device, message=message, **options)
        return await asyncio.wait_for(apns.send_notification(request), 10)

    alert = aioapns.PushType.ALERT
    result = await send(PHONE, push_type=alert)
    expect(result.is_successful, "aioapns: a push is accepted")
    results = await asyncio.gather(*(send(device, push_type=alert) for device in [PHONE, TABLET] * 50))
    expect(all(r.is_successful for r in results), "aioapns: a hundred at once are accepted")
    result = await send(
        TABLET, time_to_live=300, priority=10, collapse_key="order-17", push_type=alert, apns_topic=BUNDLE)
    expect(result.is_successful, "aioapns: a push with every header field is accepted")
    result = await send(PHONE, {"aps": {"content-available": 1}}, priority=5, push_type=aioapns.PushType.BACKGROUND)
    expect(result.is_successful, "aioapns: a background push is accepted")
    result = await send(UNKNOWN, push_type=alert)
    expect((result.status, result.description) == ("400", "BadDeviceToken"), "aioapns: an unknown token is refused")
    result = await send(FOREIGN, push_type=alert)
    expect(result.description == "DeviceTokenNotForTopic", "aioapns: another app's token is refused")
    result = await send(PHONE, {"aps": {"alert": "x" * 5000}}, push_type=alert)
    expect(result.description == "PayloadTooLarge", "aioapns: a payload over 4,096 bytes is refused")
    result = await send(PHONE, push_type=aioapns.PushType.VOIP, apns_topic=BUNDLE + ".voip")
    expect(result.description == "DeviceTokenNotForTopic", "aioapns: a call needs a token for calls")
    apns.pool.close()


async def outage(fields):
    apns = client(fields)
    request = aioapns.NotificationRequest(device_token=PHONE, message=HELLO, push_type=aioapns.PushType.ALERT)
    result = await asyncio.wait_for(apns.send_notification(request), 10)
    expect((result.status, result.description) == ("503", "ServiceUnavailable"), "aioapns: an outage is an answer")
    apns.pool.close()


# The library warns each time it waits.
logging.disable(logging.WARNING)
by_hand()
with simulator() as fields:
    asyncio.run(by_library(fields))
with simulator("--fault", "error=503@/3/device/" + PHONE) as fields:
    asyncio.run(outage(fields))
print("everything happened as it should")
