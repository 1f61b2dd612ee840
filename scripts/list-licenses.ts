import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The part of package-lock.json (lockfileVersion 3) that is read here. Keys of `packages` are paths such as
 * `node_modules/a/node_modules/b`.
 */
export interface PackageLock {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>;
}

/**
 * Returns the page of third-party licenses in Markdown, with a table row for each package and version that an
 * installation runs with. Packages for development and links to folders of this project are left out.
 * @throws an error for a package that declares no license
 */
export function renderLicensesPage({ packages }: PackageLock): string {
  const rows = Object.entries(packages)
    .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      if (!license) throw new Error(`The package ${name} declares no license. Find out its license before you use it.`);
      return `| ${name} | ${version} | ${license} |`;
    });
  return `# Third-party licenses

Linksieve uses these packages. \`npm run licenses\` creates this page from \`package-lock.json\`. Packages for development only are not listed.
The full license texts are in \`node_modules\`, in the folder of each package. The embedded PostgreSQL has the
[PostgreSQL License](https://www.postgresql.org/about/licence/).

| package | version | license |
|---|---|---|
${[...new Set(rows)].sort().join('\n')}
`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const lock: PackageLock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  writeFileSync(join(root, 'docs/third-party-licenses.md'), renderLicensesPage(lock));
}
