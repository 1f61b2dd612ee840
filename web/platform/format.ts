const numbers = new Intl.NumberFormat('en-US');

/** '1,200' */
export const formatCount = (count: number) => numbers.format(count);

/** '1 domain', '1,200 domains' */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Formats a file size: '3 bytes', '12 KB', '3.4 MB'. One kilobyte is 1024 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const units = ['KB', 'MB', 'GB'];
  let size = bytes / 1024;
  let unit = 0;
  while (size >= 1023.95 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${units[unit]}`;
}
