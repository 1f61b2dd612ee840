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
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  const state = document.querySelector('meta[name="page-state"]')?.content ?? '';
  if (state.includes('"signedOut":false')) root.setAttribute('data-session', 'unknown');
})();

// Records clicks and key presses that happen before the app has started. app/early-presses.ts repeats them.
(() => {
  const controller = new AbortController();
  const early = { presses: [], held: new Set(), stop: () => controller.abort() };
  window.earlyPresses = early;
  const on = (types, listener) => {
    for (const type of types) addEventListener(type, listener, { capture: true, signal: controller.signal });
  };
  const closest = (event, selector) => event.target.closest?.(selector);

  // Keep only the last press, and drop it when the user moves to another control. Submitted forms are kept.
  const forget = () => {
    early.presses = early.presses.filter(({ kind }) => kind === 'submit');
  };
  const remember = (kind, control, event) => {
    if (kind === 'submit') early.presses = early.presses.filter(({ control: { form } }) => form !== control.form);
    if (kind === 'click') forget();
    early.presses.push({ kind, control, event });
  };

  on(['pointerdown', 'focusin'], forget);
  on(['click'], (event) => {
    const button = closest(event, 'button');
    if (button) remember('click', button, event);
  });
  // Submit buttons are disabled until the app starts, so they get no click event.
  on(['pointerup'], (event) => {
    const button = closest(event, 'button[type="submit"]:disabled');
    if (button && event.button === 0) remember('submit', button, event);
  });
  on(['keydown'], (event) => {
    if (event.repeat || event.isComposing) return;
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k') {
      event.preventDefault();
      return remember('key', document.body, event);
    }
    if (ctrlKey || metaKey || altKey) return;
    const field = closest(event, 'input, textarea, select');
    if (field) return key === 'Enter' && field.form && field.matches('input') && remember('submit', field, event);
    if (key.length === 1 && key !== ' ') remember('key', document.body, event);
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
