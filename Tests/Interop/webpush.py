"""Holds our Web Push against libraries that are not ours: http_ece, py_vapid and pywebpush.

Each side decrypts what the other encrypted. pywebpush sends to our push service, and our client sends to one of Python's.
Nothing of the libraries is changed. Arguments: the path of webpush-peer.
"""

import asyncio
import base64
import contextlib
import http.server
import json
import os
import ssl
import subprocess
import sys
import threading
import time

import aiohttp
import http_ece
import py_vapid
import pywebpush
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SUBJECT = "mailto:push@example.com"
# The longest text of a push: 4,096 bytes less a header of 86, a delimiter and a tag.
LONGEST = 3993


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")
    print("ok ", what)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Peer:
    """Our side, in a process of its own."""

    def __init__(self, *browsers):
        self.process = subprocess.Popen(
            [sys.argv[1], *browsers], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        fields = json.loads(self.process.stdout.readline())
        self.subscriptions = fields["subscriptions"]
        self.key = py_vapid.Vapid.from_pem(fields["key"].encode())
        self.ca_file = fields["caFile"]
        # Before the first request, because requests reads it for each.
        os.environ["REQUESTS_CA_BUNDLE"] = self.ca_file

    def ask(self, order, **fields):
        """What our side answers; bytes go and come as base64url."""
        texts = {name: base64url(value) if isinstance(value, bytes) else value for name, value in fields.items()}
        print(json.dumps({"do": order, **texts}), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def bytes(self, order, **fields):
        answer = self.ask(order, **fields)
        if "error" in answer:
            sys.exit(f"failed: {order}: {answer['error']}")
        return from_base64url(answer["bytes"])

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


class Browser:
    """A browser's keys in Python."""

    def __init__(self):
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.auth = os.urandom(16)

    @property
    def number(self):
        return self.private.private_numbers().private_value.to_bytes(32, "big")

    def subscription(self, endpoint="https://push.example.com/1"):
        return {"endpoint": endpoint, "keys": {"p256dh": base64url(self.point), "auth": base64url(self.auth)}}

    def decrypt(self, body):
        return http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth)


# The encryption by itself.


def pushes(peer):
    sizes = [1, 15, 16, 17, 41, 600, 2912, LONGEST]
    for size in [0, *sizes]:
        browser, text = Browser(), os.urandom(size)
        for padding in {0, min(7, LONGEST - size), LONGEST - size}:
            body = peer.bytes("encrypt", p256dh=browser.point, auth=browser.auth, text=text, padding=padding)
            assert browser.decrypt(body) == text and len(body) == 103 + size + padding, (size, padding)
    expect(True, "http_ece decrypts our pushes of 0 to 3,993 bytes, with padding and without")
    for size in sizes:
        browser, text = Browser(), os.urandom(size)
        body = pywebpush.WebPusher(browser.subscription()).encode(text)["body"]
        assert peer.bytes("decrypt", key=browser.number, auth=browser.auth, body=body) == text, size
    expect(True, "we decrypt pywebpush's pushes of 1 to 3,993 bytes")
    # Keys and secrets with leading zeros are one in 256.
    for _ in range(300):
        browser = Browser()
        body = peer.bytes("encrypt", p256dh=browser.point, auth=browser.auth, text=b"walrus")
        assert browser.decrypt(body) == b"walrus"
        body = pywebpush.WebPusher(browser.subscription()).encode(b"walrus")["body"]
        assert peer.bytes("decrypt", key=browser.number, auth=browser.auth, body=body) == b"walrus"
    expect(True, "both do so with 300 pairs of keys")


def refused_pushes(peer):
    browser = Browser()
    pusher = pywebpush.WebPusher(browser.subscription())
    body = bytearray(pusher.encode(b"walrus")["body"])
    body[-1] ^= 1
    for what, words, body, auth in [
        ("a changed body", "it was changed", bytes(body), browser.auth),
        ("another auth secret", "another key", pusher.encode(b"walrus")["body"], os.urandom(16)),
        ("two records", "must have one record", pusher.encode(b"x" * 5000)["body"], browser.auth),
        ("a header without a record", "has 0 bytes", bytes(body[:86]), browser.auth),
    ]:
        answer = peer.ask("decrypt", key=browser.number, auth=auth, body=body)
        expect(words in answer.get("error", ""), f"{what} is refused: {answer.get('error')}")


def records(peer):
    material = os.urandom(16)
    for size in [18, 19, 25, 100, 4096]:
        for count in [1, size - 17, size - 16, 10 * (size - 17), 300]:
            text = os.urandom(count)
            body = peer.bytes("encode", material=material, recordSize=size, keyID=b"a1", text=text, padding=0)
            assert http_ece.decrypt(body, key=material) == text, (size, count)
            body = peer.bytes("encode", material=material, recordSize=size, keyID=b"", text=text, padding=40)
            assert http_ece.decrypt(body, key=material) == text, (size, count)
            body = http_ece.encrypt(text, key=material, rs=size, keyid="a1")
            assert peer.bytes("decode", material=material, body=body) == text, (size, count)
    expect(True, "both read each other's records of 18 to 4,096 bytes, up to 300 in a body")


# pywebpush and our push service.


def push(peer, browser, text, key=None, claims=None, subscription=None, **options):
    return pywebpush.webpush(
        subscription or peer.subscriptions[browser], text, key or peer.key, claims or {"sub": SUBJECT},
        **{"ttl": 60, "timeout": 10, **options})


def expect_refusal(what, status, words, call):
    try:
        call()
    except pywebpush.WebPushException as error:
        text = error.response.text
        expect(error.status_code == status and words in text, f"pywebpush: {what}: {error.status_code} {text.strip()}")
    else:
        sys.exit(f"failed: {what} was accepted")


def foreign_sends(peer):
    response = push(peer, "phone", json.dumps({"notification": {"title": "Привет 🚢"}}))
    expect(response.status_code == 201 and response.headers["Location"], "pywebpush: a push is accepted")
    push(peer, "phone", "just a text", headers={"Urgency": "high", "Topic": "order-17"})
    push(peer, "phone", "x" * LONGEST, ttl=0)
    shown = peer.ask("shown", browser="phone")
    expect(
        shown == {"texts": ["Привет 🚢", "just a text", "x" * LONGEST], "undecryptable": 0},
        "pywebpush: the browser decrypts and shows what was sent")
    # The older encoding is none of RFC 8291; Mozilla's service takes it, and our browser does not.
    push(peer, "tablet", "older", content_encoding="aesgcm")
    shown = peer.ask("shown", browser="tablet")
    expect(shown == {"texts": [], "undecryptable": 1}, "pywebpush: the older encoding is accepted and not decrypted")

    foreign = py_vapid.Vapid()
    foreign.generate_keys()
    hour, other = int(time.time()) + 3600, peer.subscriptions["tablet"]
    expect_refusal("another server's key", 401, "mismatch", lambda: push(peer, "phone", "x", foreign))
    expect_refusal(
        "a token for another origin", 401, "audience",
        lambda: push(peer, "phone", "x", claims={"sub": SUBJECT, "aud": "https://push.example.com"}))
    expect_refusal(
        "a token for more than a day", 401, "", lambda: push(
            peer, "phone", "x", claims={"sub": SUBJECT, "exp": hour + 86_400}))
    expect_refusal("no token", 401, "", lambda: pywebpush.webpush(peer.subscriptions["phone"], "x", ttl=60))
    expect_refusal("a text that is too long", 413, "", lambda: push(peer, "phone", "x" * 6000))
    expect_refusal("a bad topic", 400, "", lambda: push(peer, "phone", "x", headers={"Topic": "a b"}))
    expect_refusal(
        "an unknown address", 404, "",
        lambda: push(peer, "phone", "x", subscription={**other, "endpoint": other["endpoint"] + "x"}))
    peer.ask("unsubscribe", browser="tablet")
    expect_refusal("an ended subscription", 410, "", lambda: push(peer, "tablet", "x"))


async def many_foreign_sends(peer):
    context = ssl.create_default_context(cafile=peer.ca_file)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context)) as session:
        responses = await asyncio.gather(*(
            pywebpush.webpush_async(
                peer.subscriptions["laptop"], f"push {n}", peer.key, {"sub": SUBJECT}, ttl=60, aiohttp_session=session)
            for n in range(100)))
    expect({response.status for response in responses} == {201}, "pywebpush: a hundred at once are accepted")
    texts = peer.ask("shown", browser="laptop")["texts"]
    expect(sorted(texts) == sorted(f"push {n}" for n in range(100)), "pywebpush: the browser shows all of them")


# Our client and a push service of Python's.


class Service(http.server.BaseHTTPRequestHandler):
    """Keeps what arrives. Answers with the status in the path: `/201/anything`."""

    protocol_version = "HTTP/1.1"
    requests = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.requests.append((self.path, self.headers, body))
        self.send_response(int(self.path.split("/")[1]))
        self.send_header("Location", "/m/1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def service():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def claims(authorization):
    token = authorization.split("t=")[1].split(",")[0]
    return json.loads(from_base64url(token.split(".")[1]))


def our_sends(peer):
    browser = Browser()
    with service() as origin:
        subscription = json.dumps(browser.subscription(f"{origin}/201/a%2fb?x=%20"))
        for title in ["One", "Два 🚢"]:
            answer = peer.ask("send", subscription=subscription, title=title, body="B")
            expect(answer == {"accepted": True}, "our client: a push is accepted by Python's service")
        (path, headers, body), (_, again, other) = Service.requests
        expect(path == "/201/a%2fb?x=%20", "our client: the address arrives byte for byte")
        texts = [json.loads(browser.decrypt(body))["notification"] for body in (body, other)]
        expect(
            [text["title"] for text in texts] == ["One", "Два 🚢"] and texts[0]["body"] == "B",
            "our client: http_ece decrypts both pushes")
        expect(body[:16] != other[:16] and body[21:86] != other[21:86], "our client: each has a salt and a key of its own")
        expect(headers["TTL"] == "600" and headers["Content-Encoding"] == "aes128gcm", "our client: the fields are there")
        authorization = headers["Authorization"]
        # py_vapid reads no blank behind the comma, which HTTP allows and most libraries write.
        compact = authorization.replace(", ", ",")
        expect(py_vapid.Vapid.verify(compact), "our client: py_vapid verifies the token")
        expect(authorization == again["Authorization"], "our client: the second push has the same token")
        said = claims(authorization)
        expect(
            said["aud"] == origin and said["sub"] == SUBJECT and 0 < said["exp"] - time.time() <= 86_400,
            "our client: the token is for this origin, and for a day at most")
        for status in (404, 410):
            subscription = json.dumps(browser.subscription(f"{origin}/{status}/dead"))
            answer = peer.ask("send", subscription=subscription, title="T", body="B")
            expect(answer.get("isDead"), f"our client: {status} ends a subscription: {answer.get('error')}")


peer = Peer("phone", "tablet", "laptop")
try:
    pushes(peer)
    refused_pushes(peer)
    records(peer)
    foreign_sends(peer)
    asyncio.run(many_foreign_sends(peer))
    our_sends(peer)
finally:
    peer.stop()
print("everything happened as it should")
