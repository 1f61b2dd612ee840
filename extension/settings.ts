import { browser } from 'wxt/browser';

export interface Settings {
  /** Scheme, host and port of the installation. Null until it is set. */
  origin: string | null;
  /** Whether results of search engines are marked. */
  marksResults: boolean;
  /** Whether the toolbar icon shows the risk of every site. Needs the permission `tabs`. */
  showsEverySite: boolean;
}

const defaults: Settings = { origin: null, marksResults: true, showsEverySite: false };

export async function readSettings(): Promise<Settings> {
  const { settings } = await browser.storage.local.get<{ settings?: Partial<Settings> }>('settings');
  return { ...defaults, ...settings };
}

export async function saveSettings(changes: Partial<Settings>): Promise<Settings> {
  const settings = { ...(await readSettings()), ...changes };
  await browser.storage.local.set({ settings });
  return settings;
}

/** Calls `listener` after each change, also one of another page of the extension. */
export function onSettingsChange(listener: () => void): void {
  browser.storage.local.onChanged.addListener((changes) => {
    if ('settings' in changes) listener();
  });
}
