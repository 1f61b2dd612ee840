/** Why a file can not be read at all; single damaged rows never throw. */
export type UnreadableCode =
  | 'empty'
  | 'no_rows'
  | 'spreadsheet'
  | 'archive'
  | 'document'
  | 'web_page'
  | 'json'
  | 'binary'
  | 'missing_columns'
  | 'duplicate_column'
  | 'no_addresses'
  | 'own_pages'
  | 'too_many_hosts';

/** An uploaded file that has to be refused. `message` is a sentence for the person who uploaded it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly code: UnreadableCode;

  constructor(code: UnreadableCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether an error is an UnreadableFile, be it one that a thread threw: its class is lost on the way, its name is not. */
export function isUnreadableFile(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UnreadableFile';
}
