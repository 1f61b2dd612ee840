import { tryStorage } from '../../../platform/storage.ts';
import { useServed } from '../../../ui/served.ts';

// A list is too long for a URL, so the URL contains only its key. The text stays in this browser tab, like its history:
// it survives a reload and is not stored on the server.

const prefix = 'name-list-';
const draftKey = 'pasted-names';
const maxLists = 20;
/** The lists of this page load, in case the browser blocks storage. */
const texts = new Map<string, string>();

/** Stores the text of a list. @returns its key for the URL */
export function saveList(text: string): string {
  const key = `p${Date.now().toString(36)}`;
  write(prefix + key, text);
  tryStorage(deleteOldLists);
  return key;
}

/** Returns the text of a list; undefined if it was pasted in another tab or long ago. */
export const readList = (key: string): string | undefined => read(prefix + key);

/** The same in a component. The server does not know the text. */
export const useStoredList = (key = ''): string | undefined => useServed(undefined, () => readList(key));

/** Stores a text that cannot be checked yet. */
export const saveDraft = (text: string) => write(draftKey, text);

/** Returns the last draft and forgets it. */
export function takeDraft(): string | undefined {
  const text = read(draftKey);
  texts.delete(draftKey);
  tryStorage(() => sessionStorage.removeItem(draftKey));
  return text;
}

function write(key: string, text: string): void {
  texts.set(key, text);
  tryStorage(() => sessionStorage.setItem(key, text));
}

const read = (key: string) => texts.get(key) ?? tryStorage(() => sessionStorage.getItem(key)) ?? undefined;

/** Keys contain the time, so they sort by age. */
function deleteOldLists(): void {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  for (const key of keys.sort().slice(0, -maxLists)) sessionStorage.removeItem(key);
}
