// PostgreSQL error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
/** A statement took longer than its statement_timeout, or was canceled. */
export const queryCanceled = '57014';
/** A statement waited longer than its lock_timeout. */
export const lockTimeout = '55P03';
/** A change was sent to a standby, or to a database in read-only mode. */
export const readOnly = '25006';

/**
 * Error codes of deadlocks, serialization failures, lost or refused connections, and a server that starts, stops, is
 * full, or is read-only until a failover is complete.
 */
const transientCode =
  /^(40001|40P01|08...|57P0[1-5]|53300|25006|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/;

/** Errors of the driver, which have no code. */
const transientMessage =
  /^Connection terminated|^timeout exceeded when trying to connect|^timeout expired$|^Client has encountered a connection error|^Client was closed and is not queryable/;

/** Whether a database error has this PostgreSQL error code. */
export function hasDbCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Whether a database error is temporary, so that a retry may succeed. */
export function isTransientDbError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A host with several addresses fails with the errors of all of them.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isTransientDbError);
  if ('code' in error && typeof error.code === 'string') return transientCode.test(error.code);
  return transientMessage.test(error.message);
}
