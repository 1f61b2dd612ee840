import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { extensionFiles } from '#shared/checks/extension-links.ts';
import project from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'linksieve-extension-'));
afterAll(() => rm(folder, { recursive: true }));
const run = promisify(execFile);

/** Builds the extension into a folder, as another process at another time and place would. */
async function build(name: string, TZ: string): Promise<Record<keyof typeof extensionFiles, Buffer>> {
  const env = { ...process.env, NODE_ENV: 'production', TZ };
  await run(process.execPath, [join(root, 'scripts/build-extension.ts'), join(folder, name)], { env });
  const [chrome, firefox] = await Promise.all(
    [extensionFiles.chrome, extensionFiles.firefox].map((file) => readFile(join(folder, name, file))),
  );
  if (!chrome || !firefox) throw new Error('The build wrote no extension.');
  return { chrome, firefox };
}

const first = await build('first', 'Asia/Tokyo');

const readManifest = (zip: Buffer) => JSON.parse(Buffer.from(unzipSync(zip)['manifest.json'] ?? []).toString());

test('the same sources give the same bytes', async () => {
  const second = await build('second', 'America/Lima');
  expect(second.chrome.equals(first.chrome)).toBe(true);
  expect(second.firefox.equals(first.firefox)).toBe(true);
});

test.each(['chrome', 'firefox'] as const)(
  'the extension for %s asks for no more permissions than it explains',
  (browser) => {
    const { permissions, host_permissions, optional_permissions, optional_host_permissions, content_scripts, version } =
      readManifest(first[browser]);
    expect(version).toBe(project.version);
    expect(permissions).toEqual(['activeTab', 'alarms', 'storage']);
    expect(optional_permissions).toEqual(['scripting', 'tabs']);
    expect([host_permissions, optional_host_permissions]).toEqual([undefined, undefined]);
    expect(content_scripts).toHaveLength(1);
    for (const pattern of content_scripts[0].matches) {
      expect(pattern).toMatch(
        /^\*:\/\/(?:www\.google\.[a-z.]+\/search|www\.bing\.com\/search|(?:html\.)?duckduckgo\.com\/(?:html)?)\*$/,
      );
    }
  },
);

test('the extension for Firefox has no errors of web-ext lint', async () => {
  const unpacked = join(folder, 'unpacked');
  for (const [name, bytes] of Object.entries(unzipSync(first.firefox))) {
    await mkdir(dirname(join(unpacked, name)), { recursive: true });
    await writeFile(join(unpacked, name), bytes);
  }
  const program = join(root, 'node_modules/.bin/web-ext');
  const { stdout } = await run(process.execPath, [program, 'lint', '--source-dir', unpacked, '--output', 'json']);
  const { errors, notices, warnings } = JSON.parse(stdout);
  expect([errors, notices]).toEqual([[], []]);
  // React sets innerHTML only for a property that no part of the extension uses.
  expect(new Set(warnings.map(({ code }: { code: string }) => code))).toEqual(new Set(['UNSAFE_VAR_ASSIGNMENT']));
});
