/**
 * Error codes of deadlocks, serialization failures, lost or refused connections, and a server that starts or stops.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const transientCode = /^(40001|40P01|08...|57P0[1-4]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;

/** Whether a database error is temporary, so that a retry may succeed. */
export function isTransientDbError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return transientCode.test(error.code);
  return /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error/.test(
    error.message,
  );
}
