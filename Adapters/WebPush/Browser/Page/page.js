// Subscribes this browser, and lists the pushes that its service worker reports.

import { byID, call, make, sentence, setText } from "/base.js";

/** Firefox forgets a question that comes before its push service is ready. So the page asks again. */
const attempts = 15;
const patience = 2000;
/** Pushes in the list. */
const most = 50;

const words = { shown: "On the screen", tapped: "Tapped", closed: "Closed", data: "No notification" };

const registered = navigator.serviceWorker?.register("/worker.js").then(() => navigator.serviceWorker.ready);

async function subscribe() {
  if (await Notification.requestPermission() !== "granted") {
    throw new Error("the browser does not allow notifications for this page; change that beside its address");
  }
  await (await current())?.unsubscribe();
  const { pushManager } = await registered;
  const { key } = await call("GET", "/key");
  const subscription = await askAgain(() => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  await call("POST", "/events", { event: "subscribed", subscription });
  return subscription;
}

/** The first result of several attempts, each of which may stay without one. */
async function askAgain(ask) {
  let reason = "the browser's push service does not respond; was the browser started for it?";
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const pause = new Promise((resolve) => setTimeout(resolve, patience));
    const asked = ask().then((value) => ({ value }), (error) => {
      reason = error.message;
      return pause;
    });
    const result = await Promise.race([asked, pause]);
    if (result) return result.value;
  }
  throw new Error(reason);
}

/** The browser's subscription; null if it has none. */
async function current() {
  const { pushManager } = await registered;
  return askAgain(() => pushManager.getSubscription());
}

async function unsubscribe() {
  await (await current())?.unsubscribe();
  await call("POST", "/events", { event: "unsubscribed" });
  return null;
}

/** Runs a change of the subscription, and shows the result. */
async function change(text, action) {
  const buttons = [byID("subscribe"), byID("unsubscribe")];
  const hadFocus = buttons.includes(document.activeElement);
  for (const button of buttons) button.disabled = true;
  state("waiting", text);
  try {
    show(await action());
  } catch (error) {
    await fail(error);
  }
  // A disabled button loses the focus, and with it the place of a user without a mouse.
  if (hadFocus) buttons.find((button) => !button.disabled).focus();
}

function show(subscription) {
  state(subscription ? "on" : "off", subscription ? "Subscribed. Pushes arrive here." : "Not subscribed.");
  byID("subscribe").disabled = Boolean(subscription);
  byID("unsubscribe").disabled = !subscription;
  byID("facts").hidden = !subscription;
  if (!subscription) return;
  // The whole address is a secret: it is enough to send.
  setText(byID("service"), new URL(subscription.endpoint).origin);
  setText(byID("key"), short(subscription.options.applicationServerKey));
}

function short(bytes) {
  return [...new Uint8Array(bytes).slice(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ") + " …";
}

async function fail(error) {
  state("failed", sentence(error.message));
  byID("subscribe").disabled = false;
  await call("POST", "/events", { event: "failed", text: error.message }).catch(() => {});
}

function state(name, text) {
  byID("state").dataset.state = name;
  setText(byID("state"), text);
}

/** Adds a push to the list, or notes the user's answer to it. */
function list({ event, notification, text }) {
  if (!words[event]) return;
  const key = JSON.stringify(notification ?? text);
  const known = [...byID("pushes").children].find((row) => row.dataset.key === key && row.dataset.event === "shown");
  if (known && event !== "shown") {
    known.dataset.event = event;
    return setText(known.querySelector(".chip"), words[event]);
  }
  const now = new Date();
  const row = make("li", { "data-key": key, "data-event": event },
    make("div", { className: "line" },
      make("span", { className: "title" }, notification ? notification.title ?? location.host : text || "A push without data"),
      make("span", { className: "chip" }, words[event]),
      make("time", { dateTime: now.toISOString() }, now.toLocaleTimeString())),
    make("p", {}, notification?.body ?? ""));
  byID("pushes").prepend(row);
  while (byID("pushes").children.length > most) byID("pushes").lastElementChild.remove();
  byID("none").hidden = true;
}

async function start() {
  if (!registered || !("PushManager" in window)) throw new Error("this browser has no Web Push");
  const subscription = await current();
  if (subscription) {
    await call("POST", "/events", { event: "subscribed", subscription });
  } else if (Notification.permission === "granted") {
    return subscribe();
  }
  return subscription;
}

byID("subscribe").addEventListener("click", () => change("Subscribing", subscribe));
byID("unsubscribe").addEventListener("click", () => change("Unsubscribing", unsubscribe));
navigator.serviceWorker?.addEventListener("message", ({ data }) => list(data));
change("Starting", start);
