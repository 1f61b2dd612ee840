const numbers = new Intl.NumberFormat('en-US');

/** '1,200' */
export const formatCount = (count: number) => numbers.format(count);

/** '1 domain', '1,200 domains' */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
