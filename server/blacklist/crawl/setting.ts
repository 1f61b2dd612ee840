import type { CrawlSetting } from '#shared/blacklist/crawl.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Audit } from '../../platform/http/scope.ts';
import { findSetting, upsertSetting } from './store.ts';

type SettingContext = Pick<Context, 'config' | 'db'>;

/** Whether pages of other sites are visited: what an admin decided, otherwise CRAWL. */
export async function isCrawlEnabled({ config, db }: SettingContext): Promise<boolean> {
  return (await findSetting(db)) ?? config.crawl.enabled;
}

/** @throws 409 `crawl_disabled` */
export async function requireCrawl(context: SettingContext): Promise<void> {
  if (!(await isCrawlEnabled(context))) throw crawlDisabled();
}

/** An admin has not allowed visits. */
export const crawlDisabled = () =>
  new HttpError(
    409,
    'crawl_disabled',
    'This installation does not visit pages of other sites. An admin can turn this on in Settings.',
  );

export async function readSetting(context: SettingContext): Promise<CrawlSetting> {
  return toSetting(context, await isCrawlEnabled(context));
}

function toSetting({ config }: SettingContext, enabled: boolean): CrawlSetting {
  const { perMinute, hostSeconds } = config.crawl;
  return { enabled, perMinute, hostSeconds };
}

/** Turns the visits on or off. Running checks stop before their next request. */
export async function changeSetting(context: SettingContext, enabled: boolean, audit: Audit): Promise<CrawlSetting> {
  await context.db.transaction().execute(async (trx) => {
    await upsertSetting(trx, enabled);
    await audit(trx, { enabled });
  });
  return toSetting(context, enabled);
}
