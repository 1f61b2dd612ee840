import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '#shared/checks/openapi.ts';

/** Part of `npm run check`: checks the OpenAPI document of the public API with Redocly's strict rules, offline. */
const folder = mkdtempSync(join(tmpdir(), 'linksieve-api-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiDocument('https://linksieve.example'), null, 2));

// Runs in a temporary folder, where Redocly finds no configuration.
const { status, stdout, stderr, error } = spawnSync(
  join(import.meta.dirname, '../node_modules/.bin/redocly'),
  ['lint', 'openapi.json', '--extends=recommended-strict', '--format=stylish'],
  {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
if (status !== 0) console.error(`${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`);
process.exit(status ?? 1);
