/** Leaves a trace of a failure that the person need not hear of. */
export function warn(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification wants such a failure in the browser's log, and nowhere else
  console.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`);
}
