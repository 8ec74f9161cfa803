// Shows what the inspector's server knows, and tells it what the user does. Data goes into the page as text only.

import { announce, byID, call, follow, make, number, say, sentence, setText } from "/base.js";

const mostRows = 300;
const fewRows = 25;
const devicesPerPage = 50;
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "long" });
const exact = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});

// The server

/** Tells the server what the user did, and shows what became of it. */
async function act(method, path, body, result) {
  try {
    const answer = await call(method, path, body);
    if (result) say(result, "", false);
    refresh();
    return answer;
  } catch (error) {
    const text = error instanceof TypeError ? "The server is gone." : sentence(error.message);
    if (result) say(result, text, true);
    else announce(text);
    return undefined;
  }
}

let run;
/** A new run of the server has new phones and counts its requests anew. */
function checkRun(current) {
  if (run !== undefined && run !== current) location.reload();
  run = current;
}

const view = { find: "", offset: 0, phone: "", phoneOffset: 0 };
let isReading = false;
let isStale = false;

/** Reads the state; while that is under way, once more afterwards. */
async function refresh() {
  if (isReading) {
    isStale = true;
    return;
  }
  isReading = true;
  do {
    isStale = false;
    const query = new URLSearchParams({ ...view, limit: devicesPerPage });
    // The event stream notices that the server is gone, and reads again when it is back.
    const state = await call("GET", `/state?${query}`).catch(() => undefined);
    if (!state) continue;
    checkRun(state.run);
    try {
      show(state);
    } catch (error) {
      console.error(error);
    }
  } while (isStale);
  isReading = false;
}

let source;
let lastNumber = 0;
let retry;

function connect() {
  clearTimeout(retry);
  source?.close();
  source = new EventSource(`/events?after=${lastNumber}`);
  source.addEventListener("open", () => {
    setConnection("live", "Live");
    refresh();
  });
  source.addEventListener("error", () => {
    setConnection("gone", "The server is gone. Trying again");
    // The browser gives up after some errors.
    if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, 3000);
  });
  source.addEventListener("hello", (event) => checkRun(JSON.parse(event.data).run));
  source.addEventListener("request", (event) => enqueue(JSON.parse(event.data)));
  source.addEventListener("change", () => refresh());
}

function setConnection(state, text) {
  const element = byID("connection");
  element.dataset.state = state;
  setText(element, text);
}

// A browser allows few connections to one server, so a hidden page needs none.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    clearTimeout(retry);
    source?.close();
  } else {
    connect();
  }
});

function show(state) {
  setText(byID("vendor"), state.vendor);
  document.title = `${state.vendor} · PushBridge inspector`;
  showPhones(state.phones, state.now);
  showDevices(state.devices);
  showQuotas(state.quotas);
  showFaults(state.faults);
}

/** The text and the buttons for a part of a list. */
function showPages(name, list, things) {
  const last = list.offset + list.items.length;
  const part = list.items.length < list.matching ? `${number.format(list.offset + 1)}–${number.format(last)} of ` : "";
  const all = list.matching === list.total ? "" : `, ${number.format(list.total)} in all`;
  setText(byID(`${name}-count`), `${part}${number.format(list.matching)} ${things(list.matching)}${all}`);
  byID(`${name}-empty`).hidden = list.matching > 0;
  const pages = byID(`${name}-pages`);
  pages.hidden = list.matching <= list.limit;
  const [previous, next] = pages.children;
  previous.disabled = list.offset === 0;
  next.disabled = last >= list.matching;
}

/** Connects a search field and the buttons of a list. */
function bindPages(name, find, offset, step) {
  let pause;
  byID(`${name}-find`).addEventListener("input", (event) => {
    clearTimeout(pause);
    pause = setTimeout(() => {
      view[find] = event.target.value.trim();
      view[offset] = 0;
      refresh();
    }, 200);
  });
  byID(`${name}-pages`).addEventListener("click", (event) => {
    const direction = Number(event.target.dataset.step ?? 0);
    if (!direction) return;
    view[offset] = Math.max(0, view[offset] + direction * step);
    refresh();
  });
}

// Tabs: requests or phones, where a window has no room for both beside each other

const narrow = matchMedia("(width < 44rem)");
const tabs = [...byID("tabs").children];
const panelOf = (tab) => byID(tab.getAttribute("aria-controls"));
let chosen = tabs[0];

function showTabs() {
  byID("tabs").hidden = !narrow.matches;
  for (const tab of tabs) {
    const panel = panelOf(tab);
    tab.setAttribute("aria-selected", tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    panel.hidden = narrow.matches && tab !== chosen;
    if (narrow.matches) panel.setAttribute("role", "tabpanel");
    else panel.removeAttribute("role");
    panel.setAttribute("aria-labelledby", narrow.matches ? tab.id : `${panel.id}-title`);
  }
}

function choose(tab) {
  chosen = tab ?? chosen;
  showTabs();
}

/** Chooses the tab of a link's target, if it has one. */
function chooseTarget(target) { choose(tabs.find((tab) => `#${panelOf(tab).id}` === target)); }

for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
byID("tabs").addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const place = tabs.indexOf(chosen);
  const places = {
    ArrowLeft: (place + tabs.length - 1) % tabs.length, ArrowRight: (place + 1) % tabs.length, Home: 0, End: tabs.length - 1,
  };
  if (!(event.key in places)) return;
  event.preventDefault();
  choose(tabs[places[event.key]]);
  chosen.focus();
});
document.querySelector(".top nav").addEventListener("click", (event) => chooseTarget(event.target.hash));
addEventListener("hashchange", () => chooseTarget(location.hash));
narrow.addEventListener("change", () => {
  // What has the focus stays visible.
  const isOnTab = tabs.includes(document.activeElement);
  choose(tabs.find((tab) => panelOf(tab).contains(document.activeElement)));
  if (isOnTab) panelOf(chosen).focus();
});
chooseTarget(location.hash);

// Phones

const appStates = {
  notRunning: "The app does not run",
  background: "The app is in the background",
  foreground: "The app is in the foreground",
};

const receivedLists = [
  ["customMessages", "Custom messages"], ["inAppMessages", "In-app messages"], ["taps", "Opened by taps"], ["calls", "Calls"],
  ["activities", "Live Activities"], ["sounds", "Sounds"], ["records", "Told to the SDK"],
];

function showPhones(phones, now) {
  showPages("phones", phones, (count) => (count === 1 ? "phone" : "phones"));
  view.phoneOffset = phones.offset;
  follow(byID("phones-list"), phones.items, (phone) => phone.id, makePhone, (card, phone) => {
    updatePhone(card, phone, now);
  });
}

let titles = 0;

function makePhone(phone) {
  const path = `/phones/${encodeURIComponent(phone.id)}/`;
  const part = (name) => ({ className: name, "data-part": name });
  const button = (action, text) => make("button", {
    type: "button", textContent: text, "data-action": action, onclick: () => act("POST", path + action),
  });
  const toggle = (action, field, text) => {
    const input = make("input", { type: "checkbox", role: "switch", "data-action": action });
    input.addEventListener("change", () => act("POST", path + action, { [field]: input.checked }));
    return make("label", { className: "switch" }, input, make("span", {}, text));
  };
  const titleID = `phone-title-${titles += 1}`;
  const card = make("article", {
    className: "phone", "data-phone": phone.id, "data-platform": phone.platform, "aria-labelledby": titleID,
  },
    make("h3", { id: titleID, tabIndex: -1 },
      make("span", { className: "id", title: phone.id }, phone.id), " ",
      make("span", { className: "chip" }, `${phone.platform} ${phone.systemVersion}`)),
    make("div", { className: "parts" },
      make("div", { className: "body" },
        make("div", { className: "screen" },
          make("div", { className: "state", "aria-hidden": "true" },
            make("span", part("small-clock")), make("span", { className: "camera" }), make("span", part("network"))),
          make("div", part("face"),
            make("p", part("clock")), make("p", { ...part("date"), "aria-hidden": "true" })),
          make("div", part("banner-place")),
          make("div", { ...part("app"), hidden: true }, "The app"),
          make("div", { ...part("center"), tabIndex: 0, role: "group", "aria-label": "Notification center" }),
          make("div", { className: "dock" },
            make("div", { className: "icon", role: "img", "data-part": "icon" },
              make("span", { "aria-hidden": "true" }, "A"), make("span", { ...part("badge"), hidden: true }))))),
      make("div", { className: "controls" },
        make("p", part("app-state")),
        make("div", { className: "row" },
          button("open", "Open app"), button("leave", "Leave app"), button("kill", "End app")),
        toggle("reachable", "isReachable", "Network"),
        toggle("permission", "isAllowed", "Notifications allowed"),
        make("p", { ...part("asked"), className: "hint" }, "The app has not asked the user yet."),
        make("p", { ...part("registered"), className: "hint" }, "The app is not registered."),
        make("p", { ...part("pending"), className: "hint" }),
        make("div", part("received")))));
  card.parts = {};
  for (const element of card.querySelectorAll("[data-part]")) card.parts[element.dataset.part] = element;
  card.notificationPath = path;
  card.seen = undefined;
  return card;
}

function updatePhone(card, phone, now) {
  const parts = card.parts;
  const isForeground = phone.appState === "foreground";
  const time = clock.format(now);
  setText(parts["small-clock"], isForeground ? time : "");
  setText(parts.clock, time);
  setText(parts.date, day.format(now));
  parts.face.hidden = isForeground;
  parts.app.hidden = !isForeground;
  setText(parts.network, phone.isReachable ? "online" : "offline");
  setText(parts["app-state"], appStates[phone.appState] ?? phone.appState);
  setText(parts.badge, number.format(phone.icon));
  parts.badge.hidden = phone.icon === 0;
  parts.icon.setAttribute("aria-label", phone.icon === 0 ? "App icon" : `App icon, badge ${phone.icon}`);
  setSwitch(card, "reachable", phone.isReachable);
  setSwitch(card, "permission", phone.isNotificationAllowed === true);
  parts.asked.hidden = phone.isNotificationAllowed !== null;
  parts.registered.hidden = phone.isRegistered;
  parts.pending.hidden = phone.pending === 0;
  setText(parts.pending, `${phone.pending} local ${phone.pending === 1 ? "notification waits" : "notifications wait"}.`);

  const hadFocus = parts.center.contains(document.activeElement) || parts["banner-place"].contains(document.activeElement);
  follow(parts["banner-place"], phone.banner ? [phone.banner] : [], (item) => JSON.stringify(item), (item) => {
    const banner = makeNotification(item, card.notificationPath);
    banner.classList.add("banner");
    banner.prepend(make("p", { className: "extra over" }, "Banner over the app"));
    return banner;
  });
  showCenter(parts.center, phone, card.notificationPath);
  showReceived(parts.received, phone);
  // A button that acted may be gone. The next one gets the focus, not the top of the page.
  if (hadFocus && document.activeElement === document.body) {
    (parts.center.querySelector("button") ?? card.querySelector("h3")).focus();
  }
  const newest = phone.center[0];
  const key = newest ? newest.id + newest.time : "";
  if (card.seen !== undefined && newest && card.seen !== key) {
    announce(`New notification on ${phone.id}: ${newest.title} ${newest.body}`);
  }
  card.seen = key;
}

function setSwitch(card, action, isOn) {
  const input = card.querySelector(`input[data-action="${action}"]`);
  if (input.checked !== isOn) input.checked = isOn;
}

/** Notifications of one thread stand together, the thread of the newest one first. */
function showCenter(place, phone, path) {
  const groups = new Map();
  for (const item of phone.center) {
    // It is on the phone once: over the app.
    if (item.id === phone.banner?.id) continue;
    if (!groups.has(item.thread)) groups.set(item.thread, []);
    groups.get(item.thread).push(item);
  }
  const shown = [...groups].map(([thread, items]) => ({ key: `thread ${thread}`, thread, items }));
  if (shown.length === 0) shown.push({ key: "none" });
  if (phone.centerCount > phone.center.length) {
    shown.push({ key: "more", text: `${number.format(phone.centerCount - phone.center.length)} older ones` });
  }
  follow(place, shown, (group) => group.key, (group) => {
    if (group.key === "none") return make("p", { className: "none" }, "No notifications");
    if (group.key === "more") return make("p", { className: "none" });
    return make("div", { className: "group" },
      make("p", { hidden: group.thread === "" }, group.thread), make("ul", {}));
  }, (element, group) => {
    if (group.key === "more") setText(element, group.text);
    if (!group.items) return;
    follow(element.lastElementChild, group.items, (item) => JSON.stringify(item), (item) => makeNotification(item, path));
  });
}

function makeNotification(item, path) {
  const name = item.title || item.body;
  const button = (action, text, body, className) => make("button", {
    type: "button", textContent: text, className, "data-action": action, "aria-label": `${text}: ${name}`,
    onclick: () => act("POST", path + action, { identifier: item.id, ...body }),
  });
  const extras = [
    item.badge === null ? "" : `badge ${item.badge}`, item.sound ? `sound ${item.sound}` : "",
    item.level ? item.level : "", item.image ? `picture ${item.image}` : "", item.tap ? `opens ${item.tap}` : "",
    item.isPush ? "" : "local",
  ].filter((text) => text !== "");
  const time = make("time", { dateTime: new Date(item.time).toISOString() }, clock.format(item.time));
  // Where the system writes the app's name above each text, style sheets show it and hide the title that repeats it.
  const element = make("li", { className: "notification", "data-notification": item.id },
    make("span", { className: "glyph", "aria-hidden": "true" }, "A"), make("span", { className: "from" }, "The app"), time,
    make("p", { className: item.title ? "title" : "title untitled" }, item.title || "The app"));
  for (const text of [item.subtitle, item.body]) if (text) element.append(make("p", {}, text));
  if (extras.length > 0) element.append(make("p", { className: "extra" }, extras.join(" · ")));
  element.append(make("div", { className: "buttons" },
    button("tap", "Tap", {}, ""),
    ...item.actions.map((action) => {
      return button("tap", action.title, { action: action.id }, action.isDestructive ? "removes" : "");
    }),
    button("dismiss", "Dismiss", {}, "")));
  return element;
}

function showReceived(place, phone) {
  const lists = receivedLists.filter(([name]) => phone[name].count > 0);
  follow(place, lists, ([name]) => name, ([name, title]) => make("details", { "data-list": name },
    make("summary", {}, title), make("div", {})), (element, [name, title]) => {
    const list = phone[name];
    setText(element.firstElementChild, `${title} (${number.format(list.count)})`);
    const entries = list.items.map((text, index) => ({ text, key: `${list.count - index} ${text}` }));
    follow(element.lastElementChild, entries, (entry) => entry.key, (entry) => make("pre", {}, entry.text));
  });
}

// Requests

let incoming = [];
let isDrawing = false;
let showsOlder = false;

function enqueue(row) {
  if (row.number <= lastNumber) return;
  lastNumber = row.number;
  incoming.push(row);
  if (incoming.length > mostRows) incoming.shift();
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(drawRequests);
}

function drawRequests() {
  isDrawing = false;
  const list = byID("requests-list");
  const rows = document.createDocumentFragment();
  for (const row of incoming.reverse()) rows.append(makeRequest(row));
  incoming = [];
  list.prepend(rows);
  while (list.children.length > mostRows) list.lastElementChild.remove();
  countRequests();
}

function countRequests() {
  const list = byID("requests-list");
  const refused = list.querySelectorAll(":scope > .refused").length;
  const isFiltered = byID("only-refusals").checked;
  const all = list.children.length;
  let place = 0;
  for (const row of list.children) {
    const isWanted = !isFiltered || row.classList.contains("refused");
    if (isWanted) place += 1;
    // A row that is open or has the focus stays when newer ones push it down.
    const stays = showsOlder || place <= fewRows || row.firstElementChild.open || row.contains(document.activeElement);
    row.hidden = !isWanted || !stays;
  }
  const more = byID("requests-older");
  more.hidden = place <= fewRows;
  setText(more, showsOlder ? "Show fewer requests" : `Show older requests (${number.format(place - fewRows)})`);
  const text = `${number.format(all)} ${all === 1 ? "request" : "requests"}, ${number.format(refused)} refused`;
  setText(byID("requests-count"), all === mostRows ? `the last ${text}` : text);
  const empty = byID("requests-empty");
  empty.hidden = isFiltered ? refused > 0 : all > 0;
  setText(empty, isFiltered ? "No request was refused." : "No request has come yet.");
}

function makeRequest(row) {
  const status = row.status === null ? "none" : String(row.status);
  const summary = make("summary", {},
    make("time", { dateTime: new Date(row.time).toISOString() }, exact.format(row.time)),
    make("span", { className: `chip ${row.isRefusal ? "bad" : "good"}`, title: "HTTP status" }, status),
    make("span", { className: "what" }, make("b", {}, row.method), ` ${row.path}`));
  const more = make("span", { className: "more" });
  if (row.audience) more.append(make("span", {}, row.audience));
  if (row.code) more.append(make("span", { className: "verdict" }, `${row.code}${row.verdict ? `: ${row.verdict}` : ""}`));
  if (row.fault) more.append(make("span", { className: "fault" }, `fault ${row.fault}`));
  if (more.children.length > 0) summary.append(more);
  const inside = make("div", { className: "inside" });
  const details = make("details", { "data-request": row.number }, summary, inside);
  details.addEventListener("toggle", () => {
    if (details.open && inside.children.length === 0) showDetails(inside, row.number);
  });
  return make("li", { className: row.isRefusal ? "refused" : "" }, details);
}

function reached(request) {
  const where = request.phones.length ? `is on ${request.phones.join(", ")}` : "is on no phone now";
  return `Message ${request.message} ${where}`;
}

async function showDetails(place, requestNumber) {
  place.replaceChildren(make("p", { className: "note" }, "Reading"));
  try {
    const request = await call("GET", `/requests/${requestNumber}`);
    place.replaceChildren(
      ...section("Request", request.requestHeaders, request.requestBody),
      ...section("Response", request.responseHeaders, request.responseBody),
      ...(request.message ? [make("p", { className: "hint" }, reached(request))] : []));
  } catch (error) {
    place.replaceChildren(make("p", { className: "note" }, sentence(error.message)));
  }
}

function section(title, headers, body) {
  if (headers === null) return [make("h3", {}, title), make("p", { className: "note" }, "Nothing went back.")];
  const parts = [make("h3", {}, title)];
  if (headers.length > 0) {
    parts.push(make("p", { className: "hint" }, `Header fields, without their values: ${headers.join(", ")}`));
  }
  parts.push(body ? make("pre", {}, body) : make("p", { className: "note" }, "No body"));
  return parts;
}

// Devices

function showDevices(devices) {
  showPages("devices", devices, (count) => (count === 1 ? "device" : "devices"));
  view.offset = devices.offset;
  follow(byID("devices-list"), devices.items, (device) => device.id, makeDevice, updateDevice);
}

function makeDevice(device) {
  return make("li", { "data-device": device.id },
    make("span", { className: "mono" }, device.id),
    make("span", { className: "facts" }),
    make("button", {
      type: "button", textContent: "Send", "aria-label": `Send to ${device.id}`, onclick: () => sendTo(device.id),
    }));
}

function updateDevice(element, device) {
  const facts = [];
  const add = (text, className = "chip") => facts.push({ text, className });
  if (device.platform) add(device.platform);
  if (device.isOnline !== null && device.isOnline !== undefined) {
    add(device.isOnline ? "online" : "offline", device.isOnline ? "chip good" : "chip warn");
  }
  if (device.hasPhone) add("has a phone");
  for (const tag of device.tags ?? []) add(`#${tag}`);
  if (device.tagCount > device.tags?.length) add(`and ${number.format(device.tagCount - device.tags.length)} more tags`);
  if (device.alias) add(`alias ${device.alias}`);
  for (const account of device.accounts ?? []) add(`account ${account}`);
  if (device.badge) add(`badge ${device.badge}`);
  if (device.inbox) add(`${number.format(device.inbox)} received`, "hint");
  follow(element.children[1], facts, (fact) => fact.className + fact.text,
    (fact) => make("span", { className: fact.className }, fact.text));
}

function sendTo(id) {
  const form = byID("send-form");
  form.elements.to.value = "device";
  form.elements.device.value = id;
  form.elements.body.focus();
}

// Quotas and faults

function showQuotas(quotas) {
  byID("quotas-empty").hidden = quotas.length > 0;
  follow(byID("quotas-list"), quotas, (quota) => quota.name, (quota) => make("li", {},
    make("div", { className: "line" }, make("span", {}, quota.name), make("span", {})),
    make("progress", { "aria-label": quota.name })), (element, quota) => {
    const left = Math.max(0, quota.remaining);
    setText(element.firstElementChild.lastElementChild, `${number.format(left)} of ${number.format(quota.limit)} left`);
    const bar = element.lastElementChild;
    bar.max = Math.max(1, quota.limit);
    bar.value = left;
    element.classList.toggle("low", left * 10 < quota.limit);
  });
}

function showFaults(faults) {
  follow(byID("fault-kinds"), faults.kinds, (kind) => kind.name, (kind) => make("button", {
    type: "button", "data-fault": kind.name, onclick: () => addFault(kind),
  }, kind.words));
  const rows = faults.waiting.map((fault, index) => ({ ...fault, index }));
  byID("faults-none").hidden = rows.length > 0;
  follow(byID("faults-waiting"), rows, (fault) => fault.index, () => make("li"), (element, fault) => {
    setText(element, `${fault.times} × ${fault.fault}${fault.path ? ` on ${fault.path}` : ""}`);
  });
}

async function addFault(kind) {
  const result = byID("faults-result");
  const body = { fault: kind.name, times: Number(byID("fault-times").value), path: byID("fault-path").value.trim() };
  const answer = await act("POST", "/faults", body, result);
  if (answer) say(result, sentence(`${kind.name} waits for ${body.times} ${body.times === 1 ? "request" : "requests"}`), false);
}

byID("faults-clear").addEventListener("click", async () => {
  const result = byID("faults-result");
  if (await act("DELETE", "/faults", {}, result)) say(result, "No fault waits.", false);
});

// Sending

byID("send-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = event.target.elements;
  const body = { title: fields.title.value, body: fields.body.value, badge: fields.badge.value.trim() };
  if (fields.to.value === "device") body.device = fields.device.value.trim();
  else body.everyone = true;
  const result = byID("send-result");
  say(result, "Sending", false);
  const answer = await act("POST", "/send", body, result);
  if (answer) say(result, `Sent as message ${answer.messageID}.`, false);
});
byID("send-device").addEventListener("input", (event) => {
  if (event.target.value) byID("send-form").elements.to.value = "device";
});

bindPages("devices", "find", "offset", devicesPerPage);
bindPages("phones", "phone", "phoneOffset", 20);
byID("only-refusals").addEventListener("change", countRequests);
byID("requests-older").addEventListener("click", (event) => {
  showsOlder = !showsOlder;
  countRequests();
  if (!showsOlder) event.target.scrollIntoView({ block: "nearest" });
});
// Catches what no event reports, such as a scheduled push to a device without a phone.
setInterval(() => {
  if (!document.hidden && source?.readyState === EventSource.OPEN) refresh();
}, 10_000);
connect();
