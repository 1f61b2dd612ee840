/** Why a file cannot be read at all. A malformed row is skipped and never throws. */
export type UnreadableCode =
  | 'empty'
  | 'no_rows'
  | 'spreadsheet'
  | 'archive'
  | 'too_large'
  | 'document'
  | 'web_page'
  | 'json'
  | 'binary'
  | 'missing_columns'
  | 'duplicate_column'
  | 'no_addresses'
  | 'own_pages'
  | 'wrong_report'
  | 'unreachable';

/** An uploaded or downloaded file that is rejected. `message` tells the user what is wrong and what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly code: UnreadableCode;

  constructor(code: UnreadableCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Whether an error is an UnreadableFile. Checks the name, because an error from another process can lose its class but
 * keeps its name.
 */
export function isUnreadableFile(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UnreadableFile';
}
