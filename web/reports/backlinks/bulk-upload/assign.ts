import type { UploadPreview } from '#shared/reports/backlinks.ts';
import type { Website } from '#shared/reports/websites.ts';
import { toWebsiteDomain } from '../start-analysis.ts';

/** Most files in the dialog. */
export const maxBulkFiles = 50;

/** Where a file goes: to one of the user's websites, to a new one, or nowhere. */
export type Target = { to: 'existing'; websiteId: number } | { to: 'new'; domain: string } | { to: 'skip' };

/** What is known of a file: still being read, why nothing is known, or what its start says. */
export type FilePreview = 'reading' | { unknown: string } | UploadPreview;

type NamedWebsite = Pick<Website, 'id' | 'domain'>;

/** Returns the website of a host: the host itself, otherwise its nearest parent that is one of the websites. */
export function findWebsite<W extends NamedWebsite>(host: string, websites: readonly W[]): W | undefined {
  const byDomain = new Map(websites.map((website) => [website.domain, website]));
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const website = byDomain.get(name);
    if (website) return website;
  }
  return undefined;
}

/**
 * Returns the website whose domain is in the name of a file, as in `shop.example-Latest links.csv`. Of several, the
 * longest domain counts.
 */
export function findNamedWebsite<W extends NamedWebsite>(fileName: string, websites: readonly W[]): W | undefined {
  const isNamed = ({ domain }: NamedWebsite) =>
    new RegExp(`(^|[^a-z0-9.-])(www\\.)?${domain.replaceAll('.', '\\.')}(?![a-z0-9]|\\.[a-z0-9-]*\\.)`, 'i').test(
      fileName,
    );
  return websites.filter(isNamed).sort((a, b) => b.domain.length - a.domain.length)[0];
}

/** Returns where a file probably goes; undefined if the user must choose. */
export function suggestTarget(
  fileName: string,
  preview: FilePreview,
  websites: readonly NamedWebsite[],
): Target | undefined {
  if (preview === 'reading') return undefined;
  if ('file' in preview && preview.error !== null) return { to: 'skip' };
  const site = 'file' in preview ? preview.site : null;
  const website = site === null ? findNamedWebsite(fileName, websites) : findWebsite(site, websites);
  if (website) return { to: 'existing', websiteId: website.id };
  return site === null ? undefined : { to: 'new', domain: site };
}

/** The files of one website, which become one analysis. */
export interface Upload {
  domain: string;
  /** Null for a new website. */
  websiteId: number | null;
  files: readonly File[];
}

/** Collects the files that go to the same website, in the order of the first file of each. */
export function groupUploads(
  files: readonly { file: File; target: Target | undefined }[],
  websites: readonly NamedWebsite[],
): Upload[] {
  const uploads = new Map<string, { domain: string; websiteId: number | null; files: File[] }>();
  for (const { file, target } of files) {
    const website = target && resolve(target, websites);
    if (!website) continue;
    const upload = uploads.get(website.domain) ?? { ...website, files: [] };
    upload.files.push(file);
    uploads.set(website.domain, upload);
  }
  return [...uploads.values()];
}

/** Returns the website of a target. A new one that the user already has is that one. */
function resolve(
  target: Target,
  websites: readonly NamedWebsite[],
): { domain: string; websiteId: number | null } | undefined {
  if (target.to === 'skip') return undefined;
  const domain = target.to === 'new' ? toWebsiteDomain(target.domain).toLowerCase() : undefined;
  const found = websites.find((one) =>
    target.to === 'existing' ? one.id === target.websiteId : one.domain === domain,
  );
  if (found) return { domain: found.domain, websiteId: found.id };
  return domain ? { domain, websiteId: null } : undefined;
}
