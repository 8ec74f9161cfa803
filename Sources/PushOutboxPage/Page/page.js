// Shows what the page's server knows of an outbox. Data goes into the page as text only.

import { announce, byID, call, follow, make, number, say, sentence, setText } from "/base.js";

const perPage = 25;
const between = 10_000;
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const when = (time) => moment.format(time);
const count = (value, thing) => `${number.format(value)} ${value === 1 ? thing : `${thing}s`}`;

// The token stays in this tab: another page, another tab and an address do not have it.

const key = "pushbridge-outbox-token";
let token = sessionStorage.getItem(key);

/** Asks the server. Ends with `left` if the user signed out meanwhile. */
async function ask(method, path, body) {
  const mine = token;
  try {
    return await call(method, path, body, { Authorization: `Bearer ${mine}` });
  } finally {
    if (token !== mine) throw left;
  }
}

const left = new Error("signed out");

function show(isSignedIn) {
  byID("sign-in").hidden = isSignedIn;
  for (const name of ["desk", "sections", "sign-out"]) byID(name).hidden = !isSignedIn;
}

/** Forgets the token, and all that it showed. */
function leave(text) {
  token = null;
  sessionStorage.removeItem(key);
  for (const list of ["campaigns", "slices", "routes", "workers"]) byID(`${list}-list`).replaceChildren();
  view = newView();
  for (const name of ["campaigns-count", "slices-count", "store-text", "store-more"]) setText(byID(name), "");
  say(byID("campaigns-result"), "", false);
  byID("state").value = view.state;
  byID("find").value = "";
  showConnection("waiting", "Not signed in");
  show(false);
  say(byID("sign-in-result"), text, text !== "");
  byID("token").focus();
}

byID("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byID("token");
  token = field.value.trim();
  try {
    showStore(await ask("GET", "/store"));
  } catch (error) {
    return error === left ? undefined : leave(failure(error));
  }
  field.value = "";
  sessionStorage.setItem(key, token);
  say(byID("sign-in-result"), "", false);
  show(true);
  byID("campaigns").focus();
  await refresh(true);
});

byID("sign-out").addEventListener("click", () => leave(""));

/**
 * Shows why the server gave nothing. Signs out if the token counts no more, and if the server is gone: another program
 * may listen there later, and would get the token.
 */
function report(error, tell) {
  if (error === left) return;
  if (error.status === 401 || isGone(error)) leave(failure(error));
  else tell(failure(error));
}

const isGone = (error) => error instanceof TypeError;

function failure(error) {
  return isGone(error) ? "The server is gone. Sign in again when it is back." : sentence(error.message);
}

/** A name as it is, with escapes in place of characters that hide or turn the text around them. */
function plain(name) {
  return name.replace(/[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu, (mark) => `\\u{${mark.codePointAt(0).toString(16)}}`);
}

function showConnection(state, text) {
  byID("connection").dataset.state = state;
  setText(byID("connection"), text);
}

// Reading

const newView = () => ({ state: "all", before: [], names: [], opened: new Set(), name: "" });
let view = newView();
let store = { slices: [], allowsChanges: false };
let isReading = false;
let isStale = false;

/**
 * Reads all that the page shows; while that is under way, once more afterwards.
 *
 * On its own it leaves the list of those that need a person alone, because that one reads all campaigns.
 */
async function refresh(isAsked) {
  if (!token) return;
  if (isReading) {
    isStale ||= isAsked;
    return;
  }
  isReading = true;
  try {
    do {
      isStale = false;
      showStore(await ask("GET", "/store"));
      if (isAsked || view.name || view.state !== "needy") showCampaigns(await readCampaigns());
      isAsked = isStale;
      showConnection("live", `Read at ${clock.format(store.now)}`);
    } while (isStale);
  } catch (error) {
    report(error, (text) => showConnection("gone", text));
  }
  isReading = false;
}

async function readCampaigns() {
  const { state, before, name } = view;
  if (name) {
    const found = await ask("GET", `/campaign?${new URLSearchParams({ name })}`).catch((error) => {
      if (error.status === 404) return undefined;
      throw error;
    });
    return { campaigns: found ? [found] : [], hasMore: false, count: null };
  }
  const query = new URLSearchParams({ state, limit: perPage });
  if (before.length > 0) query.set("before", before.at(-1));
  const list = await ask("GET", `/campaigns?${query}`);
  const opened = list.campaigns.filter((campaign) => view.opened.has(campaign.name));
  await Promise.all(opened.map(async (campaign) => {
    Object.assign(campaign, await ask("GET", `/campaign?${new URLSearchParams({ name: campaign.name })}`));
  }));
  return list;
}

setInterval(() => {
  if (!document.hidden && byID("follows").checked) refresh(false);
}, between);
byID("again").addEventListener("click", () => refresh(true));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && byID("follows").checked) refresh(false);
});

// Choosing

function choose(changes) {
  view = { ...view, before: [], name: "", ...changes };
  say(byID("campaigns-result"), "", false);
  return refresh(true);
}

byID("state").addEventListener("change", (event) => {
  byID("find").value = "";
  choose({ state: event.target.value });
});
byID("find-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = byID("find").value.trim();
  if (name) view.opened.add(name);
  choose({ name });
});
byID("find").addEventListener("search", (event) => {
  if (!event.target.value && view.name) choose({});
});
byID("older").addEventListener("click", () => choose({ before: [...view.before, view.names.at(-1)] }));
byID("newer").addEventListener("click", () => choose({ before: view.before.slice(0, -1) }));

// Campaigns

const outcomes = {
  accepted: "accepted", unknown: "unknown", invalid: "invalid", malformed: "malformed", suspect: "suspect",
  rejected: "rejected", rejectedForNow: "rejected for now", duplicate: "repeated", moved: "moved on",
  open: "open", openAgain: "may have been sent", other: "other",
};
const looks = { active: "good", finished: "good", paused: "warn", refused: "bad", expired: "warn", cancelled: "warn" };

function showCampaigns(list) {
  view.names = list.campaigns.map((campaign) => campaign.name);
  follow(byID("campaigns-list"), list.campaigns, (campaign) => campaign.name, makeCampaign, updateCampaign);
  byID("campaigns-empty").hidden = list.campaigns.length > 0;
  const [newer, older] = [byID("newer"), byID("older")];
  newer.disabled = view.before.length === 0;
  older.disabled = !list.hasMore;
  const isAll = newer.disabled && older.disabled;
  byID("campaigns-pages").hidden = isAll;
  const shown = count(list.campaigns.length, "campaign");
  setText(byID("campaigns-count"), list.count > list.campaigns.length
    ? `the oldest ${number.format(list.campaigns.length)} of ${count(list.count, "campaign")}`
    : `${shown}${isAll ? "" : " on this page"}`);
}

function makeCampaign(campaign) {
  const inside = make("div", { className: "inside" });
  const details = make("details", { "data-campaign": campaign.name, open: view.opened.has(campaign.name) },
    make("summary", {}, make("span", { className: "head" }),
      make("span", { className: "line numbers" }), make("span", { className: "line needs", hidden: true }),
      make("span", { className: "line work", hidden: true }),
      make("progress", { "aria-label": `Progress of ${plain(campaign.name)}` })), inside);
  details.addEventListener("toggle", () => {
    if (details.open === view.opened.has(campaign.name)) return;
    if (details.open) view.opened.add(campaign.name);
    else view.opened.delete(campaign.name);
    if (details.open) showDetails(inside, campaign.name);
  });
  return make("li", {}, details);
}

function updateCampaign(element, campaign) {
  const [summary, inside] = element.firstElementChild.children;
  const [head, numbers, needs, work, bar] = summary.children;
  const chips = [
    { text: plain(campaign.name), className: "name" }, { text: campaign.state, className: `chip ${looks[campaign.state] ?? ""}` },
    ...(campaign.priority === "normal" ? [] : [{ text: campaign.priority, className: "chip" }]),
    ...(campaign.needsPerson ? [{ text: "needs a person", className: "chip bad" }] : []),
  ];
  follow(head, chips, (chip) => chip.className + chip.text, (chip) => make("span", { className: chip.className }, chip.text));
  const done = campaign.targets - campaign.open;
  setText(numbers, [`${number.format(done)} of ${count(campaign.targets, "target")} done`, ...words(campaign)].join(", "));
  setLine(needs, stops(campaign).join("; "));
  const workers = store.slices.filter((slice) => slice.campaign === campaign.name).map((slice) => slice.worker ?? "a dead worker");
  setLine(work, workers.length === 0 ? "" : `in work at ${[...new Set(workers)].join("; ")}`);
  bar.max = Math.max(1, campaign.targets);
  bar.value = done;
  if (campaign.waits) fill(inside, campaign);
}

function setLine(element, text) {
  setText(element, text);
  element.hidden = text === "";
}

/** The targets by outcome. */
function words(campaign) {
  return Object.keys(outcomes).filter((name) => campaign.outcomes[name]).map((name) => {
    const word = name === "open" && campaign.isEnded ? "not attempted" : outcomes[name];
    return `${number.format(campaign.outcomes[name])} ${word}`;
  });
}

/** Why it stands still, as a whole or in part, and its next time. */
function stops(campaign) {
  const texts = campaign.reason ? [campaign.reason] : [];
  for (const part of campaign.parts) {
    const place = `part ${part.number} at ${part.route}`;
    if (part.pausedFor) texts.push(`${place} is paused: ${part.pausedFor}`);
    else if (part.notBefore > store.now) texts.push(`${place}: nothing is sent before ${when(part.notBefore)}`);
  }
  if (campaign.slices.quarantined) texts.push(`${count(campaign.slices.quarantined, "slice")} quarantined`);
  return texts;
}

async function showDetails(place, name) {
  place.replaceChildren(make("p", { className: "note" }, "Reading"));
  try {
    fill(place, await ask("GET", `/campaign?${new URLSearchParams({ name })}`));
  } catch (error) {
    report(error, (text) => place.replaceChildren(make("p", { className: "note" }, text)));
  }
}

function fill(place, campaign) {
  const texts = JSON.stringify([campaign, store.allowsChanges]);
  // An element that stays keeps the focus and a selection.
  if (place.dataset.texts === texts && place.childElementCount > 0) return;
  place.dataset.texts = texts;
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.action : undefined;
  place.replaceChildren(
    make("h3", {}, "Waits"), ...waits(campaign),
    make("h3", {}, "Slices"), make("p", {}, slices(campaign)),
    make("h3", {}, "Times"), make("p", {}, times(campaign)),
    make("h3", {}, "Routes"), make("p", {}, routes(campaign)),
    ...(store.allowsChanges && !campaign.isEnded ? [actions(campaign)] : []));
  if (focused) (place.querySelector(`[data-action="${focused}"]`) ?? place.previousElementSibling).focus();
}

function waits(campaign) {
  if (campaign.waits.length === 0) return [make("p", { className: "note" }, "No target waits after an attempt.")];
  const items = campaign.waits.map((wait) => {
    const facts = [`${count(wait.targets, "target")} waiting`];
    if (wait.mayHaveBeenSent > 0) facts.push(`${number.format(wait.mayHaveBeenSent)} may have been sent`);
    if (wait.isQuarantined) facts.push("quarantined");
    if (wait.attempts > 0) facts.push(`tried ${count(wait.attempts, "time")}`);
    if (wait.nextTry !== null) facts.push(`${wait.nextTry > store.now ? "not tried before" : "due since"} ${when(wait.nextTry)}`);
    if (wait.repeatedUntil !== null) facts.push(`repeated until ${when(wait.repeatedUntil)}`);
    return make("li", {}, `part ${wait.part} at ${wait.route}: ${facts.join(", ")}: ${wait.reason}`);
  });
  const hidden = campaign.waitCount - items.length;
  return [make("ul", {}, ...items), ...(hidden > 0 ? [make("p", { className: "hint" }, `and ${number.format(hidden)} more`)] : [])];
}

function slices(campaign) {
  const texts = Object.entries(campaign.slices).map(([state, value]) => `${number.format(value)} ${state}`);
  return texts.length > 0 ? texts.join(", ") : "none yet";
}

function times(campaign) {
  const texts = [`enqueued ${when(campaign.enqueued)}`];
  if (campaign.expires !== null) texts.push(`expires ${when(campaign.expires)}`);
  if (campaign.ended !== null) texts.push(`ended ${when(campaign.ended)}`);
  return texts.join(", ");
}

function routes(campaign) {
  const names = [...new Set(campaign.parts.map((part) => part.route))];
  const hidden = campaign.partCount - campaign.parts.length;
  return (names.join(", ") || "none yet") + (hidden > 0 ? `, and ${count(hidden, "more part")}` : "");
}

// Changes

function actions(campaign) {
  const button = (action, text, className = "") => make("button", {
    type: "button", className, "data-action": action, "aria-label": `${text} ${plain(campaign.name)}`,
    onclick: () => change(action, campaign.name),
  }, text);
  const offered = [];
  if (campaign.state === "active") offered.push(button("pause", "Pause"));
  if (campaign.state === "paused" || campaign.needsPerson) offered.push(button("resume", "Resume"));
  if (campaign.state !== "loading") offered.push(button("cancel", "Cancel", "ends"));
  return make("div", { className: "acts" }, ...offered);
}

const done = { pause: "paused", resume: "resumed", cancel: "cancelled" };

async function change(action, name) {
  if (action === "cancel" && !confirm(`End ${plain(name)}? What was not sent stays unsent, and it cannot be resumed.`)) return;
  const result = byID("campaigns-result");
  try {
    await ask("POST", `/${action}`, { campaign: name });
    say(result, `${plain(name)} is ${done[action]}.`, false);
  } catch (error) {
    report(error, (text) => say(result, text, true));
  }
  await refresh(true);
}

// Who works

function showStore(answer) {
  store = { slices: [], workers: [], ...answer };
  showFacts("routes", store.routes, (route) => route.name, (route) => [
    route.name, route.restsUntil === null ? ["in use", "good"] : ["rests", "warn"],
    route.restsUntil === null ? "" : `until ${when(route.restsUntil)}, because requests failed in a row`,
  ]);
  showFacts("workers", store.workers, (worker) => worker.id ?? worker.name, (worker) => [
    worker.name, worker.isLate ? ["no sign of life", "bad"] : ["alive", "good"], claim(worker),
  ]);
  showFacts("slices", store.slices, (slice) => slice.id, (slice) => [
    plain(slice.campaign), slice.isSending ? ["sending", "good"] : ["leased", ""],
    `slice ${slice.number} of part ${slice.part} at ${slice.route}, ${count(slice.open, "target")} open`
      + `${slice.attempts > 0 ? `, tried ${count(slice.attempts, "time")}` : ""}, ${slice.worker ?? "a worker that is dead"}`,
  ]);
  const shown = number.format(store.slices.length);
  setText(byID("slices-count"), store.hasAllSlices === false ? `the first ${shown}` : shown);
  const text = store.failure ? `The store does not answer: ${store.failure}` : `${store.engine}, tables of version ${store.version}`;
  if (store.failure && byID("store-text").textContent !== text) announce(text);
  setText(byID("store-text"), text);
  setText(byID("store-more"), [
    store.isWorking ? "A worker of this process has a claim." : "No worker of this process has a claim.",
    store.lastAccepted === null ? "" : `A vendor last accepted something ${when(store.lastAccepted)}.`,
    store.allowsChanges ? "" : "This page only reads.",
  ].filter((line) => line !== "").join(" "));
}

function claim(worker) {
  if (worker.seconds === null) return "its claim lasts as long as its process";
  return worker.isLate ? `its claim ended ${count(-worker.seconds, "second")} ago`
    : `its claim lasts ${count(worker.seconds, "second")} more`;
}

/** A list whose rows have a title, a chip and a line. */
function showFacts(name, items, keyOf, textsOf) {
  byID(`${name}-empty`).hidden = items.length > 0;
  follow(byID(`${name}-list`), items, keyOf, () => make("li", {},
    make("p", { className: "head" }, make("span", { className: "mono" }), make("span", {})),
    make("p", { className: "more" })), (element, item) => {
    const [title, [word, look], line] = textsOf(item);
    const [head, more] = element.children;
    setText(head.firstElementChild, title);
    setText(head.lastElementChild, word);
    head.lastElementChild.className = `chip ${look}`;
    setLine(more, line);
  });
}

show(Boolean(token));
refresh(true);
