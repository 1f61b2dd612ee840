// Before the first paint: sets the theme and the height of table rows, and says in a cookie what the server needs to
// know for the next page.
const page = document.documentElement;
const readStored = (key) => {
  try {
    return localStorage.getItem(key) ?? sessionStorage.getItem(key);
  } catch {
    return null; // Storage is blocked.
  }
};
const themeKey = 'mantine-color-scheme-value';
const darkSystem = matchMedia('(prefers-color-scheme: dark)');

const applyTheme = () => {
  const choice = readStored(themeKey);
  const isDark = choice === 'dark' || (choice !== 'light' && darkSystem.matches);
  page.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  page.setAttribute('data-theme', choice ?? 'auto');
  // The browser's bars have the color of the chosen theme, which can differ from the system's.
  const [light, dark] = document.querySelectorAll('meta[name="theme-color"]');
  light.media = isDark ? 'not all' : 'all';
  dark.media = isDark ? 'all' : 'not all';
};
applyTheme();
darkSystem.addEventListener('change', applyTheme);
page.toggleAttribute('data-compact', readStored('density') === 'compact');

// The time zone, the width of the window, and the same without a scroll bar.
addEventListener('load', () => {
  const display = [Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, page.clientWidth].join();
  if (document.cookie.includes(`display=${display}`)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist in all browsers
  document.cookie = `display=${display}; path=/; max-age=31536000; samesite=lax`;
});

// The theme menu works without the app.
addEventListener('click', ({ target }) => {
  const button = target.closest?.('[data-theme-choice]');
  if (!button) return;
  try {
    localStorage.setItem(themeKey, button.dataset.themeChoice);
  } catch {
    // Storage is blocked: the choice is lost with the page.
  }
  applyTheme();
  button.closest('[popover]')?.hidePopover();
});

// Reloads a page that the browser restores from its memory, if the user signed in or out since then.
const shownSession = readStored('session-changed');
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && readStored('session-changed') !== shownSession) location.reload();
});

// Keeps what the user does until React has handled it. `early-input.ts` repeats it.
const controller = new AbortController();
let use = () => undefined;
const early = {
  changed: new Map(),
  press: undefined,
  isStarted: false,
  isRouting: false,
  isRepeating: false,
  stop: () => controller.abort(),
};
window.earlyInput = early;
const on = (type, listener) => {
  const options = { capture: true, signal: controller.signal };
  addEventListener(type, (event) => !early.isRepeating && listener(event), options);
};
const keep = (press) => {
  early.press?.control?.removeAttribute('aria-busy');
  early.press = press;
  if (!early.isStarted) press?.control?.setAttribute('aria-busy', 'true');
  if (press) use();
  // React must know the changes of fields before.
  if (early.changed.size > 0) press?.event.stopImmediatePropagation();
};
const keepChange = ({ target }) => {
  early.changed.set(target, /^(?:checkbox|radio)$/.test(target.type) ? target.checked : target.value);
  use();
};
on('input', keepChange);
// React may have reset the field since its input event.
on('change', (event) => early.changed.has(event.target) || keepChange(event));
on('pointerdown', () => keep());
on('click', (event) => {
  const control = event.target.closest?.('button:not([type="submit"], [popovertarget], [data-theme-choice])');
  if (!control || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  keep({ kind: 'click', control, event });
});
const isNative = ({ target }) => target.hasAttribute('action') && !(early.isStarted && early.changed.size > 0);
// Also while the app repeats it and React has not adopted the form.
const stopLoad = (event) => isNative(event) || event.preventDefault();
addEventListener('submit', stopLoad, { capture: true, signal: controller.signal });
on('submit', (event) => {
  if (isNative(event)) return;
  keep({ kind: 'submit', control: event.submitter, event });
});
on('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  const isPalette = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';
  const isStopped = isPalette && !early.isStarted;
  if (isStopped) event.preventDefault();
  const isShortcut =
    key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !target.closest?.('input, textarea, select');
  if (isPalette || isShortcut) keep({ kind: 'key', event, isStopped });
});

// Without the router, the browser goes back to another screen without loading it.
const shown = location.pathname + location.search;
on('popstate', () => {
  if (!early.isRouting && location.pathname + location.search !== shown) location.reload();
});

// Loads the app after the first paint, which it would delay, and in a document when the user needs it: links, forms with
// an address and popovers work without. On a slow phone, all links together would block the page for a while.
addEventListener('DOMContentLoaded', () => {
  const template = document.getElementById('app');
  const load = () => {
    const parts = [...document.importNode(template.content, true).children];
    for (const part of parts) setTimeout(() => document.head.append(part));
  };
  if (template.hasAttribute('data-document')) {
    page.setAttribute('data-ready', '');
    use = () => {
      use = () => undefined;
      page.removeAttribute('data-ready');
      load();
    };
    // The app shows what this browser has stored for a part of the document.
    const isStored = ({ dataset }) => readStored(dataset.stored) !== null;
    const hasStored = [...document.querySelectorAll('[data-stored]')].some(isStored);
    if (early.press || early.changed.size > 0 || hasStored) use();
  }
  // A hidden page is not painted.
  else if (document.hidden) load();
  else requestAnimationFrame(() => requestAnimationFrame(load));
});
