import { expect, type Locator, type Page } from '@playwright/test';
import { admin, signInAs, signInAsNewUser } from './accounts.ts';
import { test } from './test.ts';

/** A control of a screen, and the check that a press took effect. */
interface Press {
  control(page: Page): Locator;
  expectEffect(page: Page): Promise<void>;
}

const banner = (page: Page) => page.getByRole('banner');

const openTheme: Press = {
  control: (page) => banner(page).getByRole('button', { name: 'Theme' }),
  expectEffect: (page) => expect(page.getByRole('button', { name: 'Dark' })).toBeVisible(),
};
const openAccountMenu: Press = {
  control: (page) => banner(page).getByRole('button', { name: 'Account menu' }),
  expectEffect: (page) => expect(page.getByRole('menuitem', { name: 'My account' })).toBeVisible(),
};

/** Opens a link with this name, whose screen has this heading. */
const openLink = (name: string, heading: string | RegExp): Press => ({
  control: (page) => page.getByRole('link', { name, exact: true }).first(),
  expectEffect: (page) => expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible(),
});

const openTab = (name: string): Press => ({
  control: (page) => page.getByRole('tab', { name }),
  expectEffect: (page) => expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true'),
});

const openFilters: Press = {
  control: (page) => page.getByRole('button', { name: 'Advanced filters' }),
  expectEffect: (page) => expect(page.getByRole('form', { name: 'Advanced filters' })).toBeVisible(),
};

const useCases = openLink('Use Cases', /^Use Cases/);
const submitSites = openLink('Submit Sites', /^Submit/);

type SignIn = (page: Page) => Promise<unknown>;
const asVisitor: SignIn = async () => undefined;
const asAdmin: SignIn = (page) => signInAs(page, admin);

const screens: { path: string; signIn: SignIn; presses: Press[] }[] = [
  { path: '/', signIn: asVisitor, presses: [openTheme, useCases] },
  { path: '/', signIn: signInAsNewUser, presses: [openTheme, openAccountMenu, useCases] },
  { path: '/auth', signIn: asVisitor, presses: [openTheme, openTab('Register'), useCases] },
  { path: '/dashboard', signIn: signInAsNewUser, presses: [openAccountMenu, openFilters, submitSites] },
  {
    path: '/risk-assessment',
    signIn: signInAsNewUser,
    presses: [openAccountMenu, openTab('Previous Reports'), submitSites],
  },
  { path: '/account', signIn: signInAsNewUser, presses: [openTheme, openTab('API Keys'), submitSites] },
  {
    path: '/admin',
    signIn: asAdmin,
    presses: [openAccountMenu, openTheme, openLink('Feeds', 'Feeds')],
  },
];

/** At how many moments each screen is pressed. */
const count = 6;

// Each test takes minutes, so they are spread over the workers.
test.describe.configure({ mode: 'parallel' });

for (const { path, signIn, presses } of screens) {
  const role = signIn === asVisitor ? 'visitor' : 'user';
  test(`a press at any moment while ${path} loads on a slow device takes effect (${role})`, async ({
    page,
    context,
  }) => {
    test.setTimeout(60_000 + count * 30_000);
    await signIn(page);
    const maxResponses = await countResponses(page, path);
    const random = createRandom(path);
    for (let moment = 0; moment < count; moment++) {
      // One moment in each part of the load, so that a few moments cover all of it.
      const responses = Math.floor(((moment + random()) / count) * maxResponses);
      const order = presses.toSorted(() => random() - 0.5);
      const slow = await context.newPage();
      await slowDown(slow);
      const arrived = waitForResponses(slow, responses);
      await slow.goto(path, { waitUntil: 'commit' });
      await Promise.race([arrived, waitUntilLoaded(slow)]);
      const press = await pressVisible(slow, order);
      await test.step(`${path} after ${responses} responses: ${press.control(slow)}`, () => press.expectEffect(slow));
      await slow.close();
    }
  });
}

/** Returns the number of responses that the page needs, with an empty cache, until it is ready. */
async function countResponses(page: Page, path: string): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  let received = 0;
  page.on('requestfinished', () => received++);
  await page.goto(path);
  await waitUntilLoaded(page);
  return received;
}

/** Waits until the page has received this many responses. */
async function waitForResponses(page: Page, count: number): Promise<void> {
  for (let received = 0; received < count; received++) await page.waitForEvent('requestfinished', { timeout: 0 });
}

/** Waits until nothing more loads: a public page starts the app only when it is used. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.locator('html[data-ready]:not(:has([data-waiting]))').waitFor();
}

/** Makes the processor six times slower, with the network of a phone with bad reception and an empty cache. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  const bytesPerSecond = 200_000;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/** Presses the first control that is visible, with the mouse and without waiting for anything. @returns the press */
async function pressVisible(page: Page, presses: readonly Press[]): Promise<Press> {
  const any = presses.map(({ control }) => control(page)).reduce((one, other) => one.or(other));
  await any.first().waitFor();
  for (const press of presses) {
    const control = press.control(page);
    const box = (await control.isVisible()) && (await control.boundingBox());
    if (!box) continue;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    return press;
  }
  return pressVisible(page, presses);
}

/** Returns a generator of numbers from 0 to 1, which are the same in every run (mulberry32). */
function createRandom(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
