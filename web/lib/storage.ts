/** What `use` returns; undefined where the browser blocks its storage, the storage is full, or an entry cannot be read. */
export function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
