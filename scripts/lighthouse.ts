import { chromium } from '@playwright/test';
import lighthouse, { type Flags, type Result } from 'lighthouse';
import { findFreePort } from '#server/platform/net/ports.ts';
import { chromiumArguments, requireChromium } from './chromium.ts';

/** Categories whose scores do not depend on the speed of the machine. */
export const deviceIndependentCategories = ['accessibility', 'best-practices', 'seo'] as const;
export const categories = ['performance', ...deviceIndependentCategories] as const;

export interface LighthouseResult<Category extends string> {
  /** 0 to 100. */
  scores: Record<Category, number>;
  /** Failed audits, as 'category: audit'. */
  findings: string[];
  /** Cumulative layout shift; 0 if `performance` was not requested. */
  layoutShift: number;
}

interface LighthouseOptions {
  /** How many times slower than this machine the phone is; 4 by default. */
  cpuSlowdown?: number;
  /** The cookie of the session, as `name=value`. */
  cookie?: string | undefined;
}

export interface Lighthouse {
  /** Loads the page with Lighthouse's defaults: a simulated phone on a slow network. */
  measure<Category extends string>(
    url: string,
    requested: readonly Category[],
    options?: LighthouseOptions,
  ): Promise<LighthouseResult<Category>>;
  close(): Promise<void>;
}

/** Starts a separate Chromium for Lighthouse. */
export async function startLighthouse(): Promise<Lighthouse> {
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
  });
  const devtools = await browser.newBrowserCDPSession();
  /** Sets the only cookie of the browser. With a header, the cookies that a page sets would replace it. */
  const setCookie = async (url: string, cookie: string | undefined) => {
    await devtools.send('Storage.clearCookies');
    const [name = '', value = ''] = cookie?.split('=') ?? [];
    // A `__Host-` cookie needs a secure origin. Browsers treat localhost as secure.
    const secure = { url: new URL('/', url.replace('http:', 'https:')).href, secure: true };
    if (cookie) await devtools.send('Storage.setCookies', { cookies: [{ name, value, ...secure }] });
  };
  return {
    async measure<Category extends string>(
      url: string,
      requested: readonly Category[],
      options: LighthouseOptions = {},
    ) {
      const { cpuSlowdown = 4, cookie } = options;
      await setCookie(url, cookie);
      const flags = { port, onlyCategories: [...requested], throttling: { cpuSlowdownMultiplier: cpuSlowdown } };
      const lhr = await run(url, flags, 3);
      const getScore = (name: string) => Math.round((lhr.categories[name]?.score ?? 0) * 100);
      const findings = requested.flatMap((category) =>
        (lhr.categories[category]?.auditRefs ?? [])
          .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
          .map(({ id }) => `${category}: ${id}`),
      );
      const scores = Object.fromEntries(requested.map((name) => [name, getScore(name)])) as Record<Category, number>;
      return { scores, findings, layoutShift: lhr.audits['cumulative-layout-shift']?.numericValue ?? 0 };
    },
    close: () => browser.close(),
  };
}

/** Retries, because on a busy machine Lighthouse sometimes misses the start of a page load and fails. */
async function run(url: string, flags: Flags, attempts: number): Promise<Result> {
  const result = await lighthouse(url, { logLevel: 'error', ...flags });
  if (!result) throw new Error(`Lighthouse returned no result for ${url}.`);
  const { runtimeError } = result.lhr;
  if (!runtimeError) return result.lhr;
  if (attempts > 1) return run(url, flags, attempts - 1);
  throw new Error(`${url}: ${runtimeError.message}`);
}
