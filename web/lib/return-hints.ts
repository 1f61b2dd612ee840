import { debugPages, pagePaths } from '#shared/pages.ts';
import { paths } from '../paths.ts';
import { ownPath } from './own-path.ts';
import { pageState } from './page-state.ts';

const urlKey = 'return-url';
/** Known to main.tsx too, which loads this only where it stands in the storage. */
const uidKey = 'external-identity-uid';

/** Milliseconds that the id of the identity provider is kept after the return from a payment. */
export const uidLifetime = 5 * 60_000;

/** Remembers, before the browser leaves for a payment, this address and whom the identity provider knows. */
export function rememberReturn(uid: string | null): void {
  inStorage((storage) => {
    storage.setItem(urlKey, location.href);
    storage.removeItem(uidKey);
    if (uid) storage.setItem(uidKey, JSON.stringify({ uid, until: null }));
  });
}

/** Forgets both, where the browser did not leave after all. */
export function forgetReturn(): void {
  inStorage((storage) => {
    storage.removeItem(urlKey);
    storage.removeItem(uidKey);
  });
}

/** The screen to return to, told once; undefined where none was remembered. */
export function takeReturnPath(): string | undefined {
  return inStorage((storage) => {
    const stored = storage.getItem(urlKey);
    storage.removeItem(urlKey);
    return stored === null ? undefined : returnPath(stored);
  });
}

/** The path of a stored address when it is a screen of this very site, else the account. */
export function returnPath(stored: string): string {
  if (!URL.canParse(stored, location.origin)) return paths.account;
  const { origin, pathname, search, hash } = new URL(stored, location.origin);
  if (origin !== location.origin) return paths.account;
  const screens = pageState().debug ? [...pagePaths, ...debugPages] : pagePaths;
  return ownPath(pathname + search + hash, screens) ?? paths.account;
}

/** To be called after the return: the id goes five minutes later, also when the page is loaded anew meanwhile. */
export function forgetUidLater(): void {
  inStorage((storage) => {
    const stored = storage.getItem(uidKey);
    if (stored === null) return;
    const { uid, until } = parse(stored);
    if (until === null) storage.setItem(uidKey, JSON.stringify({ uid, until: Date.now() + uidLifetime }));
  });
  forgetUidInTime();
}

/** To be called on every load of the page: the id goes when its time is over. That of a payment that goes on stays. */
export function forgetUidInTime(): void {
  inStorage((storage) => {
    const { until } = parse(storage.getItem(uidKey) ?? '');
    if (until === null) return;
    const forget = () => inStorage((later) => later.getItem(uidKey) !== null && forgetIfOver(later));
    setTimeout(forget, Math.max(0, until - Date.now()));
  });
}

/** Another payment may have begun since, whose id is younger. */
function forgetIfOver(storage: Storage): void {
  const { until } = parse(storage.getItem(uidKey) ?? '');
  if (until !== null && until <= Date.now()) storage.removeItem(uidKey);
}

/** What is no entry of ours is over already. */
function parse(stored: string): { uid: string; until: number | null } {
  try {
    const { uid, until } = JSON.parse(stored);
    return { uid: String(uid), until: until === null ? null : Number(until) || 0 };
  } catch {
    return { uid: '', until: 0 };
  }
}

function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    // Storage is switched off: the return leads to the account.
    return undefined;
  }
}
