import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { emailFolder } from './email-folder.ts';

/** Waits for an email to an address whose text matches a pattern, such as a link. @returns the match */
export async function waitForEmail(to: string, wanted: RegExp): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        for (const file of await readdir(emailFolder)) {
          const mail: { to: string[]; email: string } = JSON.parse(await readFile(join(emailFolder, file), 'utf8'));
          // Long lines are folded in quoted-printable.
          const words = mail.email.replaceAll('=\r\n', '').replaceAll('=3D', '=');
          if (mail.to.includes(to)) found = wanted.exec(words)?.[0] ?? found;
        }
        return found;
      },
      { message: `a mail to ${to}` },
    )
    .toBeDefined();
  return String(found);
}
