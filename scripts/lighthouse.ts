import { chromium } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { freePort } from '#server/net/ports.ts';
import { chromiumArguments, findChromium } from './chromium.ts';

/** What depends on the page alone, and not on the machine. */
export const lastingCategories = ['accessibility', 'best-practices', 'seo'] as const;
export const categories = ['performance', ...lastingCategories] as const;

export interface LighthouseResult<Category extends string> {
  /** 0 to 100. */
  scores: Record<Category, number>;
  /** What cost points, as 'category: audit'. */
  findings: string[];
}

export interface Lighthouse {
  /** Loads the page as Lighthouse's own phone on its own slow network does. */
  measure<Category extends string>(url: string, asked: readonly Category[]): Promise<LighthouseResult<Category>>;
  close(): Promise<void>;
}

/** Lighthouse with a Chromium of its own. */
export async function openLighthouse(): Promise<Lighthouse> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
  });
  return {
    async measure<Category extends string>(url: string, asked: readonly Category[]) {
      const lhr = await run(url, port, asked, 3);
      const scoreOf = (name: string) => Math.round((lhr.categories[name]?.score ?? 0) * 100);
      const findings = asked.flatMap((category) =>
        (lhr.categories[category]?.auditRefs ?? [])
          .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
          .map(({ id }) => `${category}: ${id}`),
      );
      const scores = Object.fromEntries(asked.map((name) => [name, scoreOf(name)])) as Record<Category, number>;
      return { scores, findings };
    },
    close: () => browser.close(),
  };
}

/** On a busy machine the beginning of a page load is missed now and then, and Lighthouse asks to be run again. */
async function run(url: string, port: number, asked: readonly string[], tries: number): Promise<Result> {
  const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...asked] });
  if (!result) throw new Error(`Lighthouse has no result for ${url}.`);
  const { runtimeError } = result.lhr;
  if (!runtimeError) return result.lhr;
  if (tries > 1) return run(url, port, asked, tries - 1);
  throw new Error(`${url}: ${runtimeError.message}`);
}
