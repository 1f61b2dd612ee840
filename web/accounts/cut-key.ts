/** As much of a key's value as stands there before it is asked for. */
export const cutKey = (value: string): string => `${value.slice(0, 10)}…`;
