// Shows pushes, and tells the server about them.

/** Tapped notifications. Firefox reports their end as well, as if the user had closed them. */
const tapped = new Set();

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => event.waitUntil(receive(event.data ? event.data.text() : "")));

self.addEventListener("notificationclick", (event) => {
  const shown = event.notification;
  tapped.add(shown.data.id);
  shown.close();
  event.waitUntil(Promise.all([report({ event: "tapped", notification: shown.data.notification }), open(shown)]));
});

self.addEventListener("notificationclose", (event) => {
  const { id, notification } = event.notification.data;
  if (!tapped.delete(id)) event.waitUntil(report({ event: "closed", notification }));
});

// The browser has a new address for its pushes.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

async function receive(text) {
  const notification = read(text);
  if (!notification) return report({ event: "data", text });
  const { title = self.location.host, navigate, data, ...options } = notification;
  const id = crypto.randomUUID();
  try {
    await self.registration.showNotification(title, { ...options, data: { id, notification } });
  } catch (error) {
    return report({ event: "failed", text: `the notification cannot be shown: ${error.message || error}` });
  }
  return report({ event: "shown", notification });
}

/** The notification in a message: Declarative Web Push, or the same form without its mark. Null for any other text. */
function read(text) {
  try {
    const { notification } = JSON.parse(text);
    return typeof notification === "object" ? notification : null;
  } catch {
    return null;
  }
}

/** Opens the address of a notification, in the window that has it if there is one. */
async function open(shown) {
  const address = shown.data.notification.navigate;
  if (!address) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const window = windows.find((each) => each.url === new URL(address, self.location.href).href);
  try {
    await (window ? window.focus() : self.clients.openWindow(address));
  } catch {
    // A browser may refuse to open an address. The tap counts all the same.
  }
}

async function renew(event) {
  const options = event.oldSubscription?.options;
  const subscription = event.newSubscription ?? (options && await self.registration.pushManager.subscribe(options));
  await report(subscription ? { event: "subscribed", subscription } : { event: "unsubscribed" });
}

/** Tells the server, and every open page. */
async function report(event) {
  const json = JSON.stringify(event);
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const window of windows) window.postMessage(JSON.parse(json));
  await fetch("/events", { method: "POST", headers: { "Content-Type": "application/json" }, body: json });
}
