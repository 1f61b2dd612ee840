/** Something that was pressed on the served page. */
interface Press {
  kind: 'click' | 'submit' | 'key';
  control: HTMLElement;
  event: Event;
}

declare global {
  interface Window {
    /** Kept by public/first-paint.js, from before the first paint on. */
    earlyPresses?: { presses: Press[]; held: Set<string>; stop(): void };
  }
}

/** Milliseconds after which a press is too old to be repeated or waited for: the person may have given up on it. */
const maxAge = 10_000;

/**
 * Draws the app into the place of the served page. Waits up to ten seconds for a press to end, which would be lost with the control
 * that it began on. Keeps the focus, the caret, open details and chosen radio buttons, and repeats earlier presses. The fields
 * themselves keep what was typed.
 */
export async function takeOver(place: HTMLElement, draw: () => void): Promise<void> {
  const early = window.earlyPresses;
  const latest = performance.now() + maxAge;
  while (early?.held.size && performance.now() < latest) await new Promise((resolve) => setTimeout(resolve, 20));
  const refocus = focusIn(place);
  const chosen = [...place.querySelectorAll<HTMLInputElement>('[type="radio"]:checked')]
    .filter(({ defaultChecked }) => !defaultChecked)
    .map((choice) => twinOf(place, choice));
  const reopen = [...place.querySelectorAll('details')].map((part) => ({ find: twinOf(place, part), open: part.open }));
  const presses = (early?.presses ?? [])
    .filter(({ event }) => performance.now() - event.timeStamp < maxAge)
    .map((press) => ({ ...press, find: twinOf(place, press.control) }));
  draw();
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

/** @returns gives the focus back to the same control of the new page, with the same text selected */
function focusIn(place: HTMLElement): () => void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !place.contains(focused)) return () => undefined;
  const find = twinOf(place, focused);
  const isVisible = focused.matches(':focus-visible');
  const { selectionStart, selectionEnd, selectionDirection } = focused as HTMLInputElement;
  return () => {
    const twin = find();
    twin?.focus({ preventScroll: true, focusVisible: isVisible });
    // A field for an address has no selection to ask for.
    if (selectionStart === null || selectionStart === undefined) return;
    (twin as HTMLInputElement | undefined)?.setSelectionRange(
      selectionStart,
      selectionEnd,
      selectionDirection ?? undefined,
    );
  };
}

/** @returns finds the control of the same kind and name, the second of two if it was that, in what is drawn by then */
function twinOf<T extends HTMLElement>(place: HTMLElement, control: T): () => T | undefined {
  const name = nameOf(control);
  const alike = () => [...place.querySelectorAll<T>(control.localName)].filter((other) => nameOf(other) === name);
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
