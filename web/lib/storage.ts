/**
 * Returns the result of `use`, or undefined if the browser blocks storage, the storage is full, or an entry is invalid.
 */
export function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
