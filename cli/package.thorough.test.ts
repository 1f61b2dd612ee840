import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { analysisJobs } from '#server/reports/backlinks/jobs.ts';
import packageJson from '../package.json' with { type: 'json' };
import { startSite } from './command.fixtures.ts';

const { call, signUp, run, createDomain, folder } = await startSite({ work: analysisJobs });
const { cookie } = await signUp();
const root = join(import.meta.dirname, '..');
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
const execute = (program: string, args: string[], cwd: string) =>
  promisify(execFile)(program, args, { cwd, env: { ...process.env, PATH } });

let tarball: string;
let key: string;
/** Runs the program of the installed package. */
let linksieve: (args: string[], options?: { key?: string }) => ReturnType<typeof run>;

beforeAll(async () => {
  await execute(process.execPath, ['scripts/build-cli.ts'], root);
  await execute('npm', ['pack', './cli/dist', '--pack-destination', folder], root);
  tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
  const program = [process.execPath, join(folder, 'node_modules/.bin/linksieve')];
  linksieve = (args, options = { key }) => run(args, { ...options, program });
  const body = { scopes: ['check', 'read', 'write'] };
  key = (await call('POST', '/api/api-keys', { as: cookie, body })).json().keyValue;
  await createDomain('sold.example', { riskLevel: 'high' });
  await createDomain('late.example', { riskLevel: 'low' });
  await call('POST', '/api/profiles', { as: cookie, body: { domain: 'mine.example' } });
  const links = (...domains: string[]) =>
    `Source URL,Target URL\n${domains.map((domain) => `https://${domain}/a,https://mine.example/\n`).join('')}`;
  await writeFile(join(folder, 'first.csv'), links('sold.example', 'clean.example'));
  await writeFile(join(folder, 'second.csv'), links('sold.example', 'clean.example', 'late.example'));
}, 60_000);

test('npx runs the packed program, which checks a list like npm run check-domains', async () => {
  const npx = ['--yes', '--offline', '--package', `./${tarball}`, 'linksieve', 'help'];
  const { stdout } = await execute('npx', npx, folder);
  expect(stdout).toContain('linksieve upload WEBSITE FILE');
  expect(await linksieve(['--version'])).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` });
  const { code, stdout: csv } = await linksieve(['check', 'first.csv', '--own', 'mine.example', '--quiet']);
  expect([code, csv]).toEqual([0, expect.stringContaining('\r\nsold.example,true,sold.example,high,')]);
});

test('a month runs with the program: upload, fail on new toxic domains, report, decide, disavow, watch', async () => {
  const first = await linksieve(['upload', 'mine.example', 'first.csv', '--fail-on-new']);
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^DOMAIN .*\nsold\.example +high .* 1 *\n$/)]);
  const second = await linksieve(['upload', 'www.mine.example', 'second.csv', '--fail-on-new', '--json']);
  const { report, domains } = JSON.parse(second.stdout);
  expect([second.code, report.toxicDomains]).toEqual([3, 2]);
  expect(domains).toMatchObject([
    { domain: 'sold.example', isNew: false },
    { domain: 'late.example', isNew: true },
  ]);
  expect(second.stderr).toContain('mine.example: 2 toxic domains, 1 of them new, among 3 backlinks.');
  const newest = await linksieve(['report', String(report.websiteId)]);
  expect([newest.code, newest.stdout]).toEqual([0, expect.stringMatching(/\nlate\.example +low .* new *\n$/)]);

  const decision = { domains: ['sold.example'], decision: 'disavow' };
  await call('PUT', `/api/profiles/${report.websiteId}/decisions`, { as: cookie, body: decision });
  expect((await linksieve(['disavow', 'mine.example'])).stdout).toContain('domain:sold.example\n');
  const watched = await linksieve(['watch', '--json', '--fail-on-new']);
  expect([watched.code, JSON.parse(watched.stdout)]).toEqual([0, []]);
  const missing = await linksieve(['report', 'other.example']);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('no website other.example')]);
});

test('the month of an agency with 20 websites runs with the program alone', async () => {
  const websites = Array.from({ length: 20 }, (_, i) => `client-${i}.example`);
  const work = async (website: string) => {
    const links = ['sold.example', 'clean.example'].map((domain) => `https://${domain}/a,https://${website}/\n`);
    await writeFile(join(folder, `${website}.csv`), `Source URL,Target URL\n${links.join('')}`);
    const uploaded = await linksieve(['upload', website, `${website}.csv`, '--add', '--json']);
    const { domains }: { domains: { domain: string; decision: string | null }[] } = JSON.parse(uploaded.stdout);
    const undecided = domains.filter(({ decision }) => decision === null).map(({ domain }) => domain);
    const file = await linksieve(['disavow', website, ...undecided]);
    expect([website, file.code, file.stdout]).toEqual([website, 0, expect.stringContaining('domain:sold.example\n')]);
  };
  // The limit of analyses that run at once is higher.
  for (let at = 0; at < websites.length; at += 2) await Promise.all(websites.slice(at, at + 2).map(work));
  const unknown = await linksieve(['disavow', 'client-0.example', 'not a domain']);
  expect([unknown.code, unknown.stdout]).toEqual([1, '']);
});

test('the key can be in a file of settings that only its owner can read', async () => {
  const settings = join(folder, 'config/linksieve/config.json');
  await mkdir(dirname(settings), { recursive: true });
  await writeFile(settings, JSON.stringify({ key }), { mode: 0o600 });
  const env = { XDG_CONFIG_HOME: join(folder, 'config') };
  const watch = () => run(['watch'], { env, program: [process.execPath, join(folder, 'node_modules/.bin/linksieve')] });
  expect((await watch()).code).toBe(0);
  await chmod(settings, 0o640);
  const refused = await watch();
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`chmod 600 ${settings}`)]);
  expect((await linksieve(['analyze'])).code).toBe(2);
});
