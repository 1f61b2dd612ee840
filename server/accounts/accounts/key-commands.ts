import type { Context } from '../../context.ts';
import { auditCommand } from '../../platform/audit/audit.ts';
import { type Resealed, resealAll } from '../../platform/db/sealed-columns.ts';
import { replaceKeyFile } from '../../platform/db/secret-key.ts';
import { conflict } from '../../platform/http/errors.ts';
import { runCommand } from '../../run-command.ts';

type KeyContext = Pick<Context, 'config' | 'db' | 'secretKey' | 'now'>;

/**
 * Runs `npm run admin -- rotate-key`, which replaces the secret key in the data folder and encrypts with the new one
 * what the old one encrypted. With SECRET_KEY and SECRET_KEY_PREVIOUS it only encrypts. An interrupted rotation
 * continues.
 * @param options `isRunning`: whether another process uses the embedded database
 */
export async function runKeyCommand(
  context: KeyContext,
  { isRunning }: { isRunning: boolean },
  print?: (line: string) => void,
): Promise<void> {
  await runCommand(async () => {
    const { config, db, secretKey, now } = context;
    if (!config.secretKey) return await rotateFile(context, isRunning);
    if (!secretKey.previous) throw conflict(settingsSentence);
    await auditCommand({ db, now }, 'Rotated the secret key', {});
    return describe(await resealAll(db, secretKey), 'SECRET_KEY_PREVIOUS');
  }, print);
}

const settingsSentence =
  'Set SECRET_KEY to a new key (openssl rand -hex 32) and SECRET_KEY_PREVIOUS to the current one, restart Linksieve on every machine, and run this command again.';

async function rotateFile({ config, db, secretKey, now }: KeyContext, isRunning: boolean): Promise<string> {
  // Every process must know both keys, and the servers of another database cannot be seen from here.
  if (config.databaseUrl) throw conflict(settingsSentence);
  if (isRunning) throw conflict('Linksieve is running with this data folder. Stop it, and run this command again.');
  const place = `the second line of ${config.dataDir}/secret-key`;
  const interrupted = secretKey.previous ? await resealAll(db, secretKey) : undefined;
  if (interrupted?.changed) return describe(interrupted, place);
  await auditCommand({ db, now }, 'Rotated the secret key', {});
  return describe(await resealAll(db, await replaceKeyFile(config.dataDir, secretKey)), place);
}

const describe = ({ changed, unreadable }: Resealed, place: string): string =>
  [
    `Values encrypted with the new secret key: ${changed}. Store a copy of the key in another place.`,
    unreadable > 0 && `Values that neither key can decrypt, left unchanged: ${unreadable}.`,
    `Alert feeds, links in sent emails and remembered browsers still work with the previous key. To invalidate them, delete ${place} and restart Linksieve.`,
  ]
    .filter(Boolean)
    .join('\n');
