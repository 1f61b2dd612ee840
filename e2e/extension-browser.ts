import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test';
import { unzipSync } from 'fflate';
import { extensionFiles } from '#shared/checks/extension-links.ts';
import { chromiumArguments, requireChromiumForExtensions } from '../scripts/chromium.ts';

const packed = join(import.meta.dirname, '../dist', extensionFiles.chrome);

export interface ExtensionBrowser {
  context: BrowserContext;
  /** The page that the extension opens when it is installed. */
  options: Page;
  /** Presses the keyboard shortcut of the extension on a page, and returns the popup. */
  openPopup(page: Page): Promise<Page>;
  /** Returns the text on the toolbar icon for the page in front. */
  readBadge(): Promise<string>;
  /** Closes the browser and returns what it sent. */
  close(): Promise<NetworkLog>;
}

export interface NetworkLog {
  /** The addresses of all requests of the browser, of pages and of the extension. */
  urls: string[];
  /** The hosts that the browser looked up. */
  hosts: string[];
  /** The bytes that the browser sent on all of its connections, as text. */
  sent: string;
}

interface ExtensionOptions {
  /** Changes the manifest. */
  change?(manifest: Manifest): Manifest;
  /** More arguments of Chromium. */
  arguments?: readonly string[];
  colorScheme?: 'light' | 'dark';
}

/** Starts Chromium with the extension that the product serves. */
export async function startExtension(options: ExtensionOptions = {}): Promise<ExtensionBrowser> {
  const info = test.info();
  const folder = info.outputPath('extension');
  await unpack(folder, options.change ?? ((manifest) => manifest));
  const profile = info.outputPath('profile');
  const log = info.outputPath('network.json');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: requireChromiumForExtensions(),
    reducedMotion: 'reduce',
    colorScheme: options.colorScheme ?? 'light',
    baseURL: info.project.use.baseURL,
    viewport: { width: 1280, height: 900 },
    args: [
      ...chromiumArguments,
      // Extensions need the browser with windows, which this mode does not show.
      '--headless=new',
      '--remote-debugging-port=0',
      `--disable-extensions-except=${folder}`,
      `--load-extension=${folder}`,
      `--log-net-log=${log}`,
      '--net-log-capture-mode=Everything',
      ...(options.arguments ?? []),
    ],
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  // The browser shows it in its first tab, which is empty.
  const settings = context.pages()[0] ?? (await context.waitForEvent('page'));
  await settings.waitForURL(/\/options\.html$/);
  return {
    context,
    options: settings,
    async openPopup(page) {
      await page.bringToFront();
      await pressShortcut(context, page);
      return findPopup(profile);
    },
    readBadge: () =>
      worker.evaluate(async () => {
        const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
        return chrome.action.getBadgeText({ tabId: tab?.id });
      }),
    async close() {
      await context.close();
      return readNetworkLog(log);
    },
  };
}

interface Manifest {
  permissions: string[];
}

declare const chrome: {
  tabs: { query(filter: object): Promise<{ id: number }[]> };
  action: { getBadgeText(details: { tabId: number | undefined }): Promise<string> };
};

async function unpack(folder: string, change: (manifest: Manifest) => Manifest): Promise<void> {
  for (const [name, bytes] of Object.entries(unzipSync(await readFile(packed)))) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    const isManifest = name === 'manifest.json';
    await writeFile(path, isManifest ? JSON.stringify(change(JSON.parse(Buffer.from(bytes).toString()))) : bytes);
  }
}

/**
 * Presses Alt+Shift+L in the browser, which gives the extension access to the page like a click on its icon. The
 * browser ignores keys without the code of a real key.
 */
async function pressShortcut(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  const key = { key: 'L', code: 'KeyL', modifiers: 1 | 8, windowsVirtualKeyCode: 76, nativeVirtualKeyCode: 76 };
  for (const type of ['rawKeyDown', 'keyUp'] as const) await session.send('Input.dispatchKeyEvent', { type, ...key });
  await session.detach();
}

export interface Mark {
  /** Its accessible name. */
  name: string;
  text: string;
  url: string;
}

/** Reads the marks of a page, which its scripts cannot read. */
export async function readMarks(page: Page): Promise<Mark[]> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  await session.detach();
  return findMarks(root);
}

interface DomNode {
  localName: string;
  nodeValue: string;
  attributes?: string[];
  children?: DomNode[];
  shadowRoots?: DomNode[];
}

function findMarks(node: DomNode): Mark[] {
  if (node.localName !== 'linksieve-mark') return (node.children ?? []).flatMap(findMarks);
  const link = node.shadowRoots?.[0]?.children?.find(({ localName }) => localName === 'a');
  if (!link) throw new Error('A mark has no link.');
  const read = (name: string) => link.attributes?.[link.attributes.indexOf(name) + 1] ?? '';
  return [{ name: read('aria-label'), text: link.children?.[0]?.nodeValue ?? '', url: read('href') }];
}

/** Playwright does not see popups when they open, but when it connects again. */
async function findPopup(profile: string): Promise<Page> {
  const [port] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
  let popup: Page | undefined;
  await expect(async () => {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    popup = browser
      .contexts()
      .flatMap((context) => context.pages())
      .find((page) => page.url().endsWith('/popup.html'));
    expect(popup).toBeDefined();
  }).toPass();
  if (!popup) throw new Error('The popup did not open.');
  return popup;
}

interface NetLog {
  constants: { logEventTypes: Record<string, number> };
  events: { type: number; params?: { url?: string; bytes?: string; host?: string } }[];
}

/** Reads a log of Chromium (https://www.chromium.org/developers/design-documents/network-stack/netlog/). */
async function readNetworkLog(path: string): Promise<NetworkLog> {
  const { constants, events }: NetLog = JSON.parse(await readFile(path, 'utf8'));
  const types = constants.logEventTypes;
  const ofType = (name: string) => {
    if (types[name] === undefined) throw new Error(`Chromium logs no events of the type ${name}.`);
    return events.filter(({ type }) => type === types[name]).flatMap(({ params }) => params ?? []);
  };
  return {
    urls: ofType('URL_REQUEST_START_JOB').flatMap(({ url }) => url ?? []),
    hosts: ofType('HOST_RESOLVER_MANAGER_REQUEST').flatMap(({ host }) => host ?? []),
    sent: ['SOCKET_BYTES_SENT', 'SSL_SOCKET_BYTES_SENT', 'UDP_BYTES_SENT']
      .flatMap(ofType)
      .map(({ bytes = '' }) => Buffer.from(bytes, 'base64').toString('latin1'))
      .join('\n'),
  };
}
