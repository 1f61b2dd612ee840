import * as z from 'zod/mini';
import type { NewerVersion } from '#shared/operations/admin.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Context } from '../../context.ts';
import { readBody } from '../../platform/net/outbound.ts';
import { getErrorMessage } from '../../start-error.ts';

/** The newest release, as GitHub, Gitea and Forgejo describe it. */
const Release = z.object({
  tag_name: z.string().check(z.regex(/^v?\d{1,6}(\.\d{1,6}){2}$/)),
  html_url: z.url({ protocol: /^https?$/ }),
});

const dayMs = 86_400_000;
/** The notes of a release can be long. */
const limits = { maxBytes: 1024 * 1024, timeoutMs: 10_000 };

type ReleaseContext = Pick<Context, 'config' | 'outbound' | 'log' | 'now'>;

/**
 * Returns a function that returns the newer version that was found last. Without RELEASES_URL it asks nobody. With it,
 * it asks that address at most once a day in the background, and only while admins look.
 * @param version the version of this server
 */
export function createVersionCheck(
  { config, outbound, log, now }: ReleaseContext,
  version: string = packageJson.version,
): () => NewerVersion | null {
  const { releasesUrl } = config;
  let askedAt = Number.NEGATIVE_INFINITY;
  let found: NewerVersion | null = null;

  async function ask(url: string): Promise<void> {
    const response = await outbound.get(url, { ...limits, headers: { accept: 'application/json' } });
    if (response.status !== 200) {
      response.body.destroy();
      throw new Error(`${url} responded with ${response.status}`);
    }
    const { tag_name: tag, html_url: page } = z.parse(Release, JSON.parse(await readBody(response)));
    const newest = tag.replace(/^v/, '');
    found = isNewer(newest, version) ? { version: newest, url: page } : null;
  }

  return () => {
    if (releasesUrl && now().getTime() - askedAt >= dayMs) {
      askedAt = now().getTime();
      ask(releasesUrl).catch((error: unknown) =>
        log.warn(`The newest version could not be read from RELEASES_URL: ${getErrorMessage(error)}.`),
      );
    }
    return found;
  };
}

/** Whether a version follows another one. Both have three numbers. */
export const isNewer = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) > 0;
