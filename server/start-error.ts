/** A reason not to start, in a sentence that says what is wrong and what to do. It is printed without a stack. */
export class StartError extends Error {}

/** One sentence for a person about an error that ended a start. */
export function describeStartFailure(error: unknown): string {
  const message = getErrorMessage(error);
  if (/ENOSPC|No space left on device/.test(message))
    return `The disk is full. Free some space and start again. (${message})`;
  if (error instanceof StartError) return error.message;
  const { code, path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (path !== undefined && /^(?:EACCES|EPERM|EROFS)$/.test(code ?? ''))
    return `Linksieve may not use ${path}. Start it as the user who owns this path, or change its owner. (${message})`;
  return `Linksieve cannot start: ${message}. Start it with LOG_LEVEL=debug to see where this comes from, and report it.`;
}

/** The first line of an error's message. A host name with several addresses fails with one error for each, and no message. */
export function getErrorMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(getErrorMessage).join(', ');
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().split('\n')[0]?.replace(/\.$/, '') ?? '';
}
