import { previewBytes, type UploadPreview } from '#shared/reports/backlinks.ts';
import { lookupNames } from '../../hostnames/coverage/coverage.ts';
import { findLinkHost } from '../../hostnames/links/links.ts';
import type { StoredFile } from '../../platform/archives/archives.ts';
import { cellText } from '../../platform/csv/csv-record.ts';
import { scanFile } from '../../platform/csv/file-bytes.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { createHostReader } from './host-reader.ts';
import { keptSlots } from './link-details.ts';
import { openTables, planBelow } from './open-tables.ts';
import { unknownSite } from './own-site.ts';
import { createTableReader } from './table-reader.ts';

/**
 * Previews files one after the other. Runs in a process of its own, because an archive can unpack to much more than its
 * size.
 * @param task `folder`: where tables of archives are unpacked
 */
export async function previewFiles(
  _context: ProcessContext<never>,
  { files, folder }: { files: readonly StoredFile[]; folder: string },
): Promise<UploadPreview[]> {
  const previews: UploadPreview[] = [];
  for (const file of files) previews.push(await readPreview(file, folder));
  return previews;
}

/**
 * Reads the start of each table of a file: which export it is, how many links the start has, and which website they
 * point to. A file that cannot be analyzed has an error instead.
 * @param folder where tables of archives are unpacked; they are removed at the end
 */
async function readPreview(file: StoredFile, folder: string): Promise<UploadPreview> {
  try {
    await using opened = await openTables([file], unknownSite, { folder });
    const reader = createHostReader(unknownSite);
    const targets = new Set<string>();
    let backlinks = 0;
    let complete = true;
    for (const table of opened.tables) {
      const { scanner } = createTableReader(table, {
        file: 0,
        site: unknownSite,
        reader,
        links: undefined,
        addRow: (_, record) => {
          backlinks += 1;
          const host = findLinkHost(cellText(record, keptSlots.target) ?? '');
          if (typeof host === 'string') targets.add(host);
        },
        planBelow: (name, head) => planBelow(name, head, unknownSite, { folder }),
      });
      for await (const { bytesRead } of scanFile(table.path, scanner, { ...table, chunkBytes: previewBytes })) {
        // The browser cuts files here, so that the last row can be a part of one.
        if (bytesRead < previewBytes) continue;
        complete = false;
        break;
      }
    }
    const { tool = '', report = '' } = opened.tables[0]?.plan.format ?? {};
    return { file: file.name, tool, report, site: findSite(targets), backlinks, complete, error: null };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { file: file.name, tool: '', report: '', site: null, backlinks: 0, complete: true, error: error.message };
  }
}

/**
 * Returns the narrowest name that covers all hosts, such as blog.example.com for en.blog.example.com and
 * blog.example.com. Null for hosts of several websites.
 */
function findSite(hosts: Iterable<string>): string | null {
  let common: string[] | undefined;
  for (const host of hosts) {
    const names = lookupNames(host);
    common = common?.filter((name) => names.includes(name)) ?? names;
  }
  return common?.[0] ?? null;
}
