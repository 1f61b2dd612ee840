import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { emailFolder } from './email-folder.ts';
import { decodeEmail } from './mail-server.ts';

/** Waits for an email to this address that matches a pattern, such as that of a link. @returns the match */
export async function waitForEmail(to: string, pattern: RegExp): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        for (const file of await readdir(emailFolder)) {
          const message: { to: string[]; email: string } = JSON.parse(await readFile(join(emailFolder, file), 'utf8'));
          if (message.to.includes(to)) found = pattern.exec(decodeEmail(message.email))?.[0] ?? found;
        }
        return found;
      },
      { message: `an email to ${to}` },
    )
    .toBeDefined();
  return String(found);
}
