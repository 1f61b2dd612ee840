import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { inboxFolder } from './inbox-folder.ts';

/** Waits for a letter to an address whose text has something in it, such as a link. @returns that */
export async function findInMail(to: string, wanted: RegExp): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        for (const file of await readdir(inboxFolder)) {
          const mail: { to: string[]; letter: string } = JSON.parse(await readFile(join(inboxFolder, file), 'utf8'));
          // Long lines are folded in quoted-printable.
          const words = mail.letter.replaceAll('=\r\n', '').replaceAll('=3D', '=');
          if (mail.to.includes(to)) found = wanted.exec(words)?.[0] ?? found;
        }
        return found;
      },
      { message: `a mail to ${to}` },
    )
    .toBeDefined();
  return String(found);
}
