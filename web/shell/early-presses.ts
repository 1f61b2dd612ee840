/** A click, submit or key press on the prerendered page, before the app has started. */
interface Press {
  kind: 'click' | 'submit' | 'key';
  control: HTMLElement;
  event: Event;
}

declare global {
  interface Window {
    /** Recorded by public/first-paint.js. */
    earlyPresses?: {
      /** Whether the user has pressed or focused anything. */
      isUsed: boolean;
      /** Called when this happens for the first time. */
      onFirstUse?: (() => void) | undefined;
      presses: Press[];
      /** What the user is currently holding down. */
      held: Set<string>;
      stop(): void;
    };
  }
}

/** How long a press may be repeated, in milliseconds. The first press starts the app, which a slow network delays. */
const maxAgeMs = 30_000;
/** How long the app waits for a held control, in milliseconds. */
const maxHoldMs = 10_000;

/**
 * Replaces the prerendered page in `root` with the app. Waits up to ten seconds until the user releases a held control,
 * because the press would be lost with it. Restores the focus, the text selection, open details and chosen radio
 * buttons, typed text and chosen options, and repeats earlier presses.
 * @param render renders the app into `root` synchronously
 */
export async function takeOver(root: HTMLElement, render: () => void): Promise<void> {
  const early = window.earlyPresses;
  const deadline = performance.now() + maxHoldMs;
  while (early?.held.size && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  const refocus = saveFocus(root);
  const reselect = saveSelection(root);
  const chosen = [...root.querySelectorAll<HTMLInputElement>('[type="radio"]:checked')]
    .filter(({ defaultChecked }) => !defaultChecked)
    .map((choice) => findTwin(root, choice));
  const reopen = [...root.querySelectorAll('details')].map((part) => ({ find: findTwin(root, part), open: part.open }));
  const presses = (early?.presses.splice(0) ?? [])
    .filter(({ event }) => performance.now() - event.timeStamp < maxAgeMs)
    .map((press) => ({ ...press, find: findTwin(root, press.control) }));
  const refill = saveFields(root);
  render();
  refill();
  for (const { find, open } of reopen) find()?.toggleAttribute('open', open);
  for (const find of chosen) find()?.click();
  refocus();
  reselect();
  for (const { kind, find } of presses) {
    const control = find();
    if (kind === 'click') control?.click();
    else if (kind === 'submit' && control instanceof HTMLButtonElement) control.form?.requestSubmit();
  }
  await repeatKeys(presses.flatMap(({ event }) => (event instanceof KeyboardEvent ? [event] : [])));
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Returns a function that enters what the user changed into the same fields of the new page, if these are different.
 */
function saveFields(root: HTMLElement): () => void {
  const fields = [...root.querySelectorAll<Field>('input:not([type="radio"], [type="checkbox"]), textarea, select')]
    .filter(isChanged)
    .map((field) => ({ find: findTwin(root, field), value: field.value }));
  return () => {
    for (const { find, value } of fields) {
      const twin = find();
      if (!twin || twin.value === value) continue;
      // React overrides the setter of the element itself, and would not see the change.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(twin), 'value')?.set?.call(twin, value);
      twin.dispatchEvent(new Event(twin instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
    }
  };
}

const isChanged = (field: Field) =>
  field instanceof HTMLSelectElement
    ? [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
    : field.value !== field.defaultValue;

/** Returns a function that selects the same text of the new page, outside of fields. */
function saveSelection(root: HTMLElement): () => void {
  const selection = getSelection();
  const text = selection?.toString();
  if (!selection || !text || !root.contains(selection.anchorNode)) return () => undefined;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const start = countText(root, startContainer, startOffset);
  const end = countText(root, endContainer, endOffset);
  return () => {
    selection.setBaseAndExtent(...findText(root, start), ...findText(root, end));
    // The texts of the pages differ, for example in a date.
    if (selection.toString() !== text) selection.removeAllRanges();
  };
}

/** The number of characters in `root` before this place. */
function countText(root: HTMLElement, node: Node, offset: number): number {
  const range = document.createRange();
  range.setStart(root, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

/** The place in `root` after this many characters. */
function findText(root: HTMLElement, count: number): [Node, number] {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let left = count;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { length } = node as Text;
    if (left <= length) return [node, left];
    left -= length;
  }
  return [root, root.childNodes.length];
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

/** Repeats key presses on the focused element. Text after a shortcut to a field is typed into the field. */
export async function repeatKeys(events: readonly KeyboardEvent[]): Promise<void> {
  for (const { key, code, ctrlKey, metaKey, shiftKey } of events) {
    const again = { key, code, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true };
    const focused = document.activeElement ?? document.body;
    const isUnhandled = focused.dispatchEvent(new KeyboardEvent('keydown', again));
    const field = focused instanceof HTMLInputElement ? focused : undefined;
    // Without a search field, the text after the shortcut has no place.
    if (isUnhandled && key === '/' && !field) return;
    if (isUnhandled && !ctrlKey && !metaKey && field) typeKey(field, key);
    // React renders after each of them, so that Enter submits the text before it.
    await Promise.resolve();
  }
}

/** Does what the browser does after a real key press in a text field. */
function typeKey(field: HTMLInputElement, key: string): void {
  if (key === 'Enter') field.form?.requestSubmit();
  const end = field.selectionEnd ?? 0;
  const start = field.selectionStart ?? 0;
  if (key === 'Backspace') field.setRangeText('', start === end ? Math.max(start - 1, 0) : start, end, 'end');
  else if (key.length === 1) field.setRangeText(key, start, end, 'end');
  else return;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
