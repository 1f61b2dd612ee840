import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Installs the first of these sets of packages that exists, as root on Debian. Elsewhere it does nothing.
 * @returns whether one is installed now
 */
export function installPackages(...sets: (readonly string[])[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  runApt(['update', '-qq']);
  return sets.some((names) => runApt(['install', '-y', '-qq', '--no-install-recommends', ...names]));
}

/** @returns whether the command succeeded */
function runApt(parameters: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', parameters, { stdio: 'inherit', env }).status === 0;
}
