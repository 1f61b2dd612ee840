/** Stops the start. Its message says what is wrong and what to do, and is printed without a stack. */
export class StartError extends Error {}

/** Returns one line for the operator about an error that stopped the start. */
export function describeStartFailure(error: unknown): string {
  const message = getErrorMessage(error);
  if (/ENOSPC|No space left on device/.test(message))
    return `The disk is full. Free some space and start again. (${message})`;
  if (error instanceof StartError) return error.message;
  const { code, path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (path !== undefined && /^(?:EACCES|EPERM|EROFS)$/.test(code ?? ''))
    return `Linksieve has no permission to use ${path}. Start it as the owner of this path, or change the owner. (${message})`;
  return `Linksieve cannot start: ${message}. Start it with LOG_LEVEL=debug to see the stack trace, and report the error.`;
}

/**
 * Returns the first line of an error's message, without a final period. An AggregateError has no message: connecting to
 * a host name with several addresses fails with one error for each.
 */
export function getErrorMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(getErrorMessage).join(', ');
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().split('\n')[0]?.replace(/\.$/, '') ?? '';
}
