import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Compiles the scanner of plain lines. AssemblyScript is not a dependency of the project, because its compiler takes
 * 100 MB and is needed only after a change of the source. It is installed for this run.
 */
const source = join(import.meta.dirname, '../server/platform/csv/scan-lines.as');
const folder = mkdtempSync(join(tmpdir(), 'linksieve-scanner-'));
try {
  const text = readFileSync(source);
  // The compiler accepts no other ending.
  const copy = join(folder, 'scan-lines.ts');
  const compiled = join(folder, 'scan-lines.wasm');
  writeFileSync(copy, text);
  const options = ['-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--initialMemory', '32'];
  const compile = ['--yes', '--package', 'assemblyscript@0.28.20', '--', 'asc', copy, ...options, '-o', compiled];
  execFileSync('npm', ['exec', ...compile], { cwd: folder, stdio: 'inherit' });
  const hash = createHash('sha256').update(text).digest('hex');
  writeFileSync(
    source.replace(/\.as$/, '.wasm.ts'),
    `// Written by \`npm run build:scanner\`.

/** SHA-256 of \`scan-lines.as\`. */
export const sourceHash = '${hash}';

/** The compiled module in Base64. */
export const scanLines =
  '${readFileSync(compiled).toString('base64')}';
`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
