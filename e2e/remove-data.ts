import { rm } from 'node:fs/promises';

/** The run's own data folder goes with it. */
export default async function removeData(): Promise<void> {
  const folder = process.env.E2E_DATA_DIR;
  if (folder) await rm(folder, { recursive: true, force: true });
}
