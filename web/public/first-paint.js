// Sets the theme, the height of table rows and the session before the first paint.
(() => {
  const root = document.documentElement;
  let stored = null;
  try {
    stored = localStorage.getItem('mantine-color-scheme-value');
    root.toggleAttribute('data-compact', localStorage.getItem('density') === 'compact');
  } catch {
    // Storage is blocked: use the defaults.
  }
  const prefersDark = stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches;
  // The browser's bars have the color of the chosen theme, which can differ from the system's.
  const [light, dark] = document.querySelectorAll('meta[name="theme-color"]');
  new MutationObserver(() => {
    const isDark = root.getAttribute('data-mantine-color-scheme') === 'dark';
    light.media = isDark ? 'not all' : 'all';
    dark.media = isDark ? 'all' : 'not all';
  }).observe(root, { attributeFilter: ['data-mantine-color-scheme'] });
  root.setAttribute('data-mantine-color-scheme', stored === 'dark' || prefersDark ? 'dark' : 'light');
  const state = document.querySelector('meta[name="page-state"]')?.content ?? '';
  if (state.includes('"signedOut":false')) root.setAttribute('data-session', 'unknown');
})();

// Reloads a page that the browser restores from its memory, if the user signed in or out since then.
(() => {
  const lastChange = () => {
    try {
      return localStorage.getItem('session-changed');
    } catch {
      return null; // Storage is blocked.
    }
  };
  const shown = lastChange();
  addEventListener('pageshow', ({ persisted }) => persisted && lastChange() !== shown && location.reload());
})();

// Starts the app of a public page, and records clicks and key presses until it has started. app/early-presses.ts repeats
// them.
(() => {
  const controller = new AbortController();
  const early = { isUsed: false, presses: [], held: new Set(), stop: () => controller.abort() };
  window.earlyPresses = early;
  const on = (types, listener) => {
    for (const type of types) addEventListener(type, listener, { capture: true, signal: controller.signal });
  };
  const closest = (event, selector) => event.target.closest?.(selector);

  // A prerendered page contains its scripts without loading them (scripts/build.ts). `data-served` marks it until then.
  const root = document.documentElement;
  const start = () => {
    if (document.readyState === 'loading') return on(['DOMContentLoaded'], start);
    if (!root.hasAttribute('data-served')) return;
    root.removeAttribute('data-served');
    // With a low priority, they do not delay the files of the first paint.
    for (const part of document.querySelectorAll('link[rel="app"]')) {
      Object.assign(part, { fetchPriority: 'low', rel: 'modulepreload' });
    }
    for (const { src } of document.querySelectorAll('script[type="app"]')) {
      const script = document.createElement('script');
      Object.assign(script, { fetchPriority: 'low', type: 'module', src, onerror: fail });
      document.head.append(script);
    }
  };
  // The next press tries again. A form with an address works without the app.
  const fail = ({ target }) => {
    target.remove();
    root.setAttribute('data-served', '');
    for (const { control } of early.presses) control.removeAttribute('aria-busy');
    const { form } = early.presses.find(({ kind }) => kind === 'submit')?.control ?? {};
    early.presses = [];
    if (form?.hasAttribute('action')) form.submit();
  };
  const isNeeded = () => {
    if (root.hasAttribute('data-session') || document.querySelector('[data-app="load"]')) return true;
    try {
      const keys = [...document.querySelectorAll('[data-stored]')].map(({ dataset }) => dataset.stored);
      return ['external-identity-uid', ...keys].some((key) => localStorage.getItem(key) ?? sessionStorage.getItem(key));
    } catch {
      return false; // Storage is blocked.
    }
  };
  on(['DOMContentLoaded'], () => {
    if (document.querySelector('script[type="app"]')) root.setAttribute('data-served', '');
    // After the first paint, which the scripts would delay. A hidden page is not painted.
    if (isNeeded()) document.hidden ? start() : requestAnimationFrame(() => setTimeout(start));
  });
  on(['pointerover', 'pointerdown', 'focusin'], (event) => {
    if (closest(event, 'button, input, textarea, select, label, [data-app]')) start();
  });
  on(['pointerdown', 'focusin', 'keydown'], () => {
    early.isUsed = true;
    early.onFirstUse?.();
    early.onFirstUse = undefined;
  });
  // The app keeps the numbers of the home page up to date.
  setTimeout(() => controller.signal.aborted || start(), 5 * 60 * 1000);

  // Keep only the last press, and drop it when the user moves to another control. Submitted forms are kept.
  const forget = () => {
    for (const { kind, control } of early.presses) if (kind !== 'submit') control.removeAttribute('aria-busy');
    early.presses = early.presses.filter(({ kind }) => kind === 'submit');
  };
  const remember = (kind, control, event) => {
    if (kind === 'submit') early.presses = early.presses.filter(({ control: { form } }) => form !== control.form);
    if (kind === 'click') forget();
    early.presses.push({ kind, control, event });
    if (kind !== 'key') control.setAttribute('aria-busy', 'true');
    start();
  };

  on(['pointerdown', 'focusin'], forget);
  on(['click'], (event) => {
    const control = closest(event, 'button:not([type="submit"]), [data-app="click"]');
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    remember('click', control, event);
  });
  on(['submit'], (event) => {
    event.preventDefault();
    remember('submit', event.submitter, event);
  });
  on(['keydown'], (event) => {
    if (event.repeat || event.isComposing) return;
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k') {
      event.preventDefault();
      return remember('key', document.body, event);
    }
    if (ctrlKey || metaKey || altKey || closest(event, 'input, textarea, select')) return;
    if (key.length === 1 && key !== ' ') remember('key', document.body, event);
    // Text after a shortcut to a field.
    else if ((key === 'Backspace' || key === 'Enter') && early.presses.some(({ kind }) => kind === 'key')) {
      remember('key', document.body, event);
    }
  });

  // While something is held, the app does not take over: a press, a text selection or an IME composition.
  let releaseTimer;
  on(['pointerdown'], (event) => {
    // A press on the scroll bar has no pointerup event.
    if (event.button !== 0 || event.target === document.documentElement) return;
    clearTimeout(releaseTimer);
    releaseTimer = undefined;
    early.held.add('pointer');
  });
  // The click event follows pointerup immediately with a mouse, and a moment later after a touch.
  const release = () => {
    releaseTimer ??= setTimeout(() => {
      releaseTimer = undefined;
      early.held.delete('pointer');
    }, 50);
  };
  on(['pointerup', 'pointercancel', 'contextmenu'], release);
  on(['pointermove'], ({ buttons }) => buttons === 0 && early.held.has('pointer') && release());
  on(['keydown'], (event) => event.key === ' ' && closest(event, 'button, summary') && early.held.add('key'));
  on(['keyup'], () => early.held.delete('key'));
  on(['compositionstart'], () => early.held.add('composition'));
  on(['compositionend'], () => early.held.delete('composition'));
  // A press that ends in another window has no pointerup event here.
  on(['blur'], ({ target }) => target === window && early.held.clear());
})();
