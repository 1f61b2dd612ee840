import { uploadLimit, uploadNotice } from '#shared/imports.ts';

/** Why a chosen file can not be imported; undefined when it can. */
export function fileProblem(file: Pick<File, 'name' | 'size'>): string | undefined {
  if (!/\.csv$/i.test(file.name)) return 'Please upload a CSV file';
  return file.size > uploadLimit ? 'File size exceeds the limit (200MB)' : undefined;
}

/** Whether the file is so large that a person should know that it takes a while. */
export function isLarge(file: Pick<File, 'size'>): boolean {
  return file.size > uploadNotice;
}
