"""Sends, validates and subscribes with the vendor's own library for Python against `pushctl simulate fcm`.

Only the addresses of the library are changed, to those of the simulator. Arguments: the path of pushctl.
"""

import asyncio
import contextlib
import datetime
import json
import os
import subprocess
import sys
import time

import firebase_admin
from firebase_admin import credentials, exceptions, messaging

PADDING = "x" * 134
PHONE, TABLET, FOREIGN = (f"dEvIcE{n}:APA91b{PADDING}" for n in (1, 2, 3))
DEAD = "dEvIcE9:APA91b" + PADDING
INSTALLATION = "cIdOfAnInstallation001"
REAL = "https://fcm.googleapis.com"


@contextlib.contextmanager
def simulator(*options):
    """A simulator in a process of its own, and an app whose library talks to it."""
    arguments = [
        sys.argv[1], "simulate", "fcm", "--with-parent", "--app-key", "shop", "--device", f"{PHONE}:android",
        "--device", f"{TABLET}:ios", "--device", f"{INSTALLATION}:android", "--foreign-device", f"{FOREIGN}:android",
        *options,
    ]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    try:
        fields = json.loads(process.stdout.readline())
        for name in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):
            os.environ[name] = fields["caFile"]
        app = firebase_admin.initialize_app(credentials.Certificate(fields["serviceAccountFile"]))
        service = messaging._get_messaging_service(app)
        service._fcm_url = service._fcm_url.replace(REAL, fields["fcm"])
        service._fcm_topic_url = service._fcm_topic_url.replace(REAL, fields["fcm"])
        messaging._MessagingService.IID_URL = fields["iid"]
        yield
    finally:
        with contextlib.suppress(ValueError):
            firebase_admin.delete_app(firebase_admin.get_app())
        process.terminate()
        process.wait(timeout=30)


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")
    print("ok ", what)


def expect_error(kind, what, call):
    try:
        call()
    except Exception as error:  # The type is the check.
        expect(type(error) is kind, f"{what}: {type(error).__name__} ({error})")
    else:
        sys.exit(f"failed: {what} was accepted")


def full_message():
    """A message with nearly every field that the library writes."""
    sound = messaging.CriticalSound("default", critical=True, volume=0.5)
    alert = messaging.ApsAlert(
        title="T", subtitle="S", body="B", loc_key="k", loc_args=["1"], title_loc_key="t", title_loc_args=["2"],
        action_loc_key="a", launch_image="i")
    lights = messaging.LightSettings(color="#11223344", light_on_duration_millis=100, light_off_duration_millis=200)
    shown = messaging.AndroidNotification(
        title="T", body="B", icon="i", color="#112233", sound="default", tag="g", click_action="open", body_loc_key="b",
        body_loc_args=["1"], title_loc_key="t", title_loc_args=["2"], channel_id="c", image="https://example.com/i.png",
        ticker="x", sticky=True, event_timestamp=datetime.datetime.now(datetime.timezone.utc), local_only=True,
        priority="high", vibrate_timings_millis=[100, 50], light_settings=lights, visibility="public",
        proxy="if_priority_lowered", notification_count=3)
    web = messaging.WebpushNotification(
        title="T", body="B", icon="https://example.com/i.png", actions=[messaging.WebpushNotificationAction("a", "A")],
        direction="ltr", tag="g", vibrate=[1, 2], custom_data={"more": True})
    return messaging.Message(
        token=PHONE, data={"order": "7"},
        notification=messaging.Notification("T", "B", image="https://example.com/i.png"),
        android=messaging.AndroidConfig(
            collapse_key="k", priority="high", ttl=datetime.timedelta(hours=1), restricted_package_name="com.example.app",
            data={"more": "1"}, notification=shown, fcm_options=messaging.AndroidFCMOptions("label"),
            direct_boot_ok=True),
        apns=messaging.APNSConfig(
            headers={"apns-priority": "10", "apns-collapse-id": "k"},
            payload=messaging.APNSPayload(
                messaging.Aps(
                    alert=alert, badge=3, sound=sound, content_available=True, category="c", thread_id="t",
                    mutable_content=True), own="value"),
            fcm_options=messaging.APNSFCMOptions("label", "https://example.com/i.png")),
        webpush=messaging.WebpushConfig(
            headers={"TTL": "60", "Urgency": "high"}, data={"w": "1"}, notification=web,
            fcm_options=messaging.WebpushFCMOptions("https://example.com/")),
        fcm_options=messaging.FCMOptions("label"))


def activity(event, alert=None, **fields):
    """A change of a Live Activity, as the vendor's guide has it."""
    aps = messaging.Aps(alert=alert, custom_data={"timestamp": int(time.time()), "event": event, **fields})
    return messaging.Message(
        token=PHONE,
        apns=messaging.APNSConfig(
            live_activity_token="a1b2c3", headers={"apns-priority": "10"}, payload=messaging.APNSPayload(aps)))


def hello(**target):
    return messaging.Message(notification=messaging.Notification("Shop", "Hello"), **target)


def sends():
    name = messaging.send(hello(token=PHONE))
    expect(name.startswith("projects/shop/messages/"), f"a message is accepted: {name}")
    expect(messaging.send(full_message()) != name, "a message with every field is accepted")
    expect(messaging.send(full_message(), dry_run=True), "a dry run is accepted")
    expect(messaging.send(messaging.Message(token=TABLET, data={"k": "v"})), "a message without a text is accepted")
    expect(messaging.send(hello(fid=INSTALLATION)), "an installation id is accepted")
    start = {"alert": messaging.ApsAlert(title="T", body="B"), "attributes-type": "Parcel", "attributes": {"id": 17}}
    for message in [
            activity("start", **{"content-state": {"eta": 9}}, **start),
            activity("update", **{"content-state": {"eta": 4}}),
            activity("end", **{"content-state": {"eta": 0}, "dismissal-date": 1})]:
        expect(messaging.send(message), "a change of a Live Activity is accepted")
    batch = messaging.send_each_for_multicast(
        messaging.MulticastMessage(tokens=[PHONE, DEAD, TABLET], data={"k": "v"}))
    kinds = [type(response.exception).__name__ for response in batch.responses]
    expect(kinds == ["NoneType", "UnregisteredError", "NoneType"], f"a list has a result for each device: {kinds}")


def topics():
    result = messaging.subscribe_to_topic([PHONE, DEAD], "vip")
    reasons = [error.reason for error in result.errors]
    expect(result.success_count == 1 and len(reasons) == 1, f"a list subscribes, a dead token fails: {reasons}")
    expect(messaging.subscribe_to_topic([PHONE], "vip").success_count == 1, "a second subscription succeeds")
    expect(messaging.subscribe_to_topic_legacy([TABLET], "vip").success_count == 1, "Instance ID subscribes")
    expect(messaging.send(hello(topic="vip")), "a topic is accepted")
    expect(messaging.send(hello(condition="'vip' in topics && !('gold' in topics)")), "a condition is accepted")
    expect(messaging.unsubscribe_from_topic([PHONE, TABLET], "vip").success_count == 2, "a list is unsubscribed")
    expect(messaging.unsubscribe_from_topic_legacy([TABLET], "vip").success_count == 1, "Instance ID unsubscribes")


async def many_at_once():
    batch = await messaging.send_each_async([hello(token=PHONE)] * 20)
    expect(batch.success_count == 20, "20 messages are accepted at once over HTTP/2")
    result = await messaging.subscribe_to_topic_async([PHONE, TABLET], "gold")
    expect(result.success_count == 2, "a list subscribes over HTTP/2")
    # Its connections belong to this event loop.
    await messaging._get_messaging_service(firebase_admin.get_app())._async_client.aclose()


def refusals():
    expect_error(messaging.UnregisteredError, "a dead token", lambda: messaging.send(hello(token=DEAD)))
    expect_error(
        messaging.UnregisteredError, "a dead token in a dry run", lambda: messaging.send(hello(token=DEAD), dry_run=True))
    expect_error(messaging.SenderIdMismatchError, "a wrong sender", lambda: messaging.send(hello(token=FOREIGN)))
    expect_error(exceptions.InvalidArgumentError, "no token", lambda: messaging.send(hello(token="nonsense")))
    expect_error(
        exceptions.InvalidArgumentError, "a payload over 4,096 bytes",
        lambda: messaging.send(messaging.Message(token=PHONE, data={"k": "x" * 5000})))
    # The rate of one device is 240 a minute.
    batch = messaging.send_each([hello(token=PHONE)] * 250)
    kinds = {type(response.exception) for response in batch.responses if not response.success}
    expect(kinds == {messaging.QuotaExceededError}, f"the rate of one device: {batch.failure_count} of 250 refused")


with simulator():
    sends()
    topics()
    asyncio.run(many_at_once())
    refusals()
with simulator("--fault", "9*throttle=1@/v1/projects/shop/messages:send"):
    expect_error(
        exceptions.ResourceExhaustedError, "the project's quota", lambda: messaging.send(hello(token=PHONE)))
with simulator("--fault", "9*error=503@/v1/projects/shop/messages:send"):
    expect_error(exceptions.UnavailableError, "an outage", lambda: messaging.send(hello(token=PHONE)))
with simulator("--fault", "error=500@/v1/projects/shop/messages:send"):
    expect(messaging.send(hello(token=PHONE)), "a short outage is retried by the library")
print("everything happened as it should")
