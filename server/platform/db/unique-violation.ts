/** Whether a query failed because a unique index already has the value. `constraint` is the name of the index. */
export function isUniqueViolation(error: unknown): error is Error & { constraint?: string } {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
