/** A click, submit or key press on the prerendered page, before the app has started. */
interface Press {
  kind: 'click' | 'submit' | 'key';
  control: HTMLElement;
  event: Event;
}

declare global {
  interface Window {
    /** Recorded by public/first-paint.js. `held` lists what the user is currently holding down. */
    earlyPresses?: { presses: Press[]; held: Set<string>; stop(): void };
  }
}

/** How long a press may be repeated or waited for, in milliseconds. The user may have moved on after that. */
const maxAgeMs = 10_000;

/**
 * Replaces the prerendered page in `root` with the app. Waits up to ten seconds until the user releases a held control,
 * because the press would be lost with it. Restores the focus, the text selection, open details and chosen radio
 * buttons, and repeats earlier presses. Text fields keep their typed text themselves.
 * @param render renders the app into `root` synchronously
 */
export async function takeOver(root: HTMLElement, render: () => void): Promise<void> {
  const early = window.earlyPresses;
  const deadline = performance.now() + maxAgeMs;
  while (early?.held.size && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  const refocus = saveFocus(root);
  const chosen = [...root.querySelectorAll<HTMLInputElement>('[type="radio"]:checked')]
    .filter(({ defaultChecked }) => !defaultChecked)
    .map((choice) => findTwin(root, choice));
  const reopen = [...root.querySelectorAll('details')].map((part) => ({ find: findTwin(root, part), open: part.open }));
  const presses = (early?.presses ?? [])
    .filter(({ event }) => performance.now() - event.timeStamp < maxAgeMs)
    .map((press) => ({ ...press, find: findTwin(root, press.control) }));
  render();
  for (const { find, open } of reopen) find()?.toggleAttribute('open', open);
  for (const find of chosen) find()?.click();
  refocus();
  for (const { kind, event, find } of presses) {
    const control = find();
    if (kind === 'click') control?.click();
    else if (kind === 'key') repeatKey(event as KeyboardEvent);
    else if (control && 'form' in control) (control.form as HTMLFormElement | null)?.requestSubmit();
  }
}

/** Returns a function that moves the focus to the same control of the new page and restores its text selection. */
function saveFocus(root: HTMLElement): () => void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !root.contains(focused)) return () => undefined;
  const find = findTwin(root, focused);
  const isVisible = focused.matches(':focus-visible');
  const { selectionStart, selectionEnd, selectionDirection } = focused as HTMLInputElement;
  return () => {
    const twin = find();
    twin?.focus({ preventScroll: true, focusVisible: isVisible });
    // Email fields have no text selection: the properties are null.
    if (selectionStart === null || selectionStart === undefined) return;
    (twin as HTMLInputElement | undefined)?.setSelectionRange(
      selectionStart,
      selectionEnd,
      selectionDirection ?? undefined,
    );
  };
}

/** Returns a function that finds the same control in the new page, by element, name and position. */
function findTwin<T extends HTMLElement>(root: HTMLElement, control: T): () => T | undefined {
  const name = nameOf(control);
  const alike = () => [...root.querySelectorAll<T>(control.localName)].filter((other) => nameOf(other) === name);
  const index = alike().indexOf(control);
  return () => alike()[index];
}

function nameOf(control: HTMLElement): string {
  const label = 'labels' in control ? (control.labels as NodeListOf<HTMLElement> | null)?.[0] : undefined;
  return control.ariaLabel ?? (label ?? control).textContent;
}

function repeatKey({ key, code, ctrlKey, metaKey, shiftKey }: KeyboardEvent): void {
  const again = { key, code, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true };
  (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', again));
}
