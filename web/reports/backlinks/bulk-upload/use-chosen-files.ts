import { useCallback, useEffect, useRef, useState } from 'react';
import { maxPreviewedArchiveBytes, previewBacklinks, previewBytes } from '#shared/reports/backlinks.ts';
import { upload } from '../../../platform/upload.ts';
import { toFileKey } from '../../../ui/file-picker.tsx';
import type { FilePreview, Target } from './assign.ts';

export interface ChosenFile {
  file: File;
  preview: FilePreview;
  /** What the user chose; undefined to use the suggestion. */
  assigned: Target | undefined;
}

const maxBatchFiles = 10;
const maxBatchBytes = 6 * 1024 * 1024;
const notRead = 'This file could not be read.';

/** The files of the dialog. Their starts are sent to the server in small requests, one after the other. */
export function useChosenFiles() {
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([]);
  const queue = useRef<File[]>([]);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const change = useCallback((file: File, part: Partial<ChosenFile>) => {
    setChosen((now) => now.map((one) => (one.file === file ? { ...one, ...part } : one)));
  }, []);

  async function readQueue(): Promise<void> {
    if (abort.current && !abort.current.signal.aborted) return;
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    while (queue.current.length > 0 && !signal.aborted) {
      const batch = await takeBatch(queue.current, (file, unknown) => change(file, { preview: { unknown } }));
      if (batch.length === 0) continue;
      const previews = await readPreviews(batch, signal);
      for (const [i, { file }] of batch.entries()) {
        change(file, { preview: previews[i] ?? { unknown: notRead } });
      }
    }
    abort.current = null;
  }

  return {
    chosen,
    /** Adds files, except those that are already chosen. */
    add(files: readonly File[]) {
      const known = new Set(chosen.map(({ file }) => toFileKey(file)));
      const added = files.filter((file) => !known.has(toFileKey(file)));
      setChosen([...chosen, ...added.map((file) => ({ file, preview: 'reading' as const, assigned: undefined }))]);
      queue.current.push(...added);
      void readQueue();
    },
    remove(file: File) {
      queue.current = queue.current.filter((one) => one !== file);
      setChosen((now) => now.filter((one) => one.file !== file));
    },
    assign: (file: File, assigned: Target) => change(file, { assigned }),
  };
}

interface FilePart {
  file: File;
  /** The part that is sent. */
  part: File;
}

/** Takes files from the front of the queue for one request. `onUnknown` gets those that are too large for a preview. */
async function takeBatch(queue: File[], onUnknown: (file: File, reason: string) => void): Promise<FilePart[]> {
  const batch: FilePart[] = [];
  let bytes = 0;
  while (batch.length < maxBatchFiles && bytes < maxBatchBytes) {
    const file = queue.shift();
    if (!file) break;
    const part = await cutFile(file).catch(() => undefined);
    if (part) {
      batch.push({ file, part });
      bytes += part.size;
    } else onUnknown(file, 'This file is too large to recognize its website.');
  }
  return batch;
}

/** Returns the start of a text file, or a whole archive; undefined for an archive above the limit of previews. */
async function cutFile(file: File): Promise<File | undefined> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const [first, second] = start;
  const isArchive = (first === 0x50 && second === 0x4b) || (first === 0x1f && second === 0x8b);
  if (isArchive) return file.size <= maxPreviewedArchiveBytes ? file : undefined;
  return new File([file.slice(0, previewBytes)], file.name);
}

/** Returns a preview of each file. If the request fails, the user can still assign the files. */
async function readPreviews(batch: readonly FilePart[], signal: AbortSignal): Promise<FilePreview[]> {
  try {
    const parts = batch.map(({ part }) => part);
    return await upload(previewBacklinks, parts, {}, { signal });
  } catch (error) {
    return batch.map(() => ({ unknown: error instanceof Error ? error.message : notRead }));
  }
}
