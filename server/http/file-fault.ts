export const diskFull = 'There is no disk space left for this. Please tell the administrator.';

/** No such file, and no disk space in the system's words and in PostgreSQL's ("Error Codes"). */
const sentences: Record<string, string> = {
  ENOENT: 'The uploaded file is gone. Please upload it again.',
  ENOSPC: diskFull,
  '53100': diskFull,
};

/** What kept the server from working on an uploaded file, in a sentence for people; undefined for any other fault. */
export function fileFault(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? sentences[String(error.code)] : undefined;
}
