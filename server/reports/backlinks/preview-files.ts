import type { UploadPreview } from '#shared/reports/backlinks.ts';
import type { StoredFile } from '../../platform/archives/archives.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { readPreview } from '../backlink-files/preview.ts';

interface PreviewTask {
  files: readonly StoredFile[];
  /** Where temporary files are written. */
  folder: string;
}

/**
 * Previews files one after the other. Runs in a process of its own, because an archive can unpack to much more than its
 * size.
 */
export async function previewFiles(
  _context: ProcessContext<never>,
  { files, folder }: PreviewTask,
): Promise<UploadPreview[]> {
  const previews: UploadPreview[] = [];
  for (const file of files) previews.push(await readPreview(file, folder));
  return previews;
}
