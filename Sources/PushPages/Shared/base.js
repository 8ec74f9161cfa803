// What the scripts of all pages share. Data goes into a page as text only.

export const byID = (id) => document.getElementById(id);
export const number = new Intl.NumberFormat();

/** An element with properties and children; a child that is a string becomes text. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("data-") || name.startsWith("aria-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Sets a text, and leaves the element alone if it has the text. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes the children of an element follow a list. Keeps the elements of items that stay, and so the focus. */
export function follow(parent, items, keyOf, create, update) {
  const keys = new Set(items.map((item) => String(keyOf(item))));
  const known = new Map();
  // First of all, because an element that is moved past another one loses the focus.
  for (const child of [...parent.children]) {
    if (keys.has(child.dataset.key)) known.set(child.dataset.key, child);
    else child.remove();
  }
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let child = known.get(key);
    if (!child) {
      child = create(item);
      child.dataset.key = key;
    }
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
    update?.(child, item);
  }
}

export function announce(text) { byID("announcement").textContent = text; }

/** Asks the page's server. Throws an error with the server's words and its `status`. */
export async function call(method, path, body, headers = {}) {
  const options = { method, headers: { ...headers } };
  if (method !== "GET") {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body ?? {});
  }
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) {
    const error = new Error(answer.error ?? `the server returned ${response.status}`);
    throw Object.assign(error, { status: response.status });
  }
  return answer;
}

export function say(element, text, isFailure) {
  element.classList.toggle("failed", isFailure);
  setText(element, text);
}

export function sentence(text) {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
