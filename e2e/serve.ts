import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emailFolder } from './email-folder.ts';
import { startIdentityProvider } from './google-provider.ts';
import { startMailServer } from './mail-server.ts';

/**
 * Starts the server of the browser tests with an empty data folder, a mail server that accepts everything, and an
 * identity provider. The data and emails are deleted when it stops.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'linksieve-e2e-'));
await rm(emailFolder, { recursive: true, force: true });
await mkdir(emailFolder);
const mailServer = await startMailServer((to, email) => saveEmail(JSON.stringify({ to, email })));
const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
  stdio: 'inherit',
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    SMTP_URL: mailServer.url,
    ...(await startIdentityProvider(process.env.E2E_EMULATOR_URL)),
    // The lists of feeds are served on this machine.
    ALLOW_PRIVATE_ADDRESSES: '1',
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLISH_BLACKLIST: '1',
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGTERM'));
const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
for (const folder of [dataDir, emailFolder]) await rm(folder, { recursive: true, force: true });
process.exit(code ?? 1);

/** Writes the file to another folder first and moves it, so that tests never read an incomplete email. */
async function saveEmail(content: string): Promise<void> {
  const name = `${randomUUID()}.json`;
  const draft = join(dataDir, name);
  await writeFile(draft, content);
  await rename(draft, join(emailFolder, name));
}
