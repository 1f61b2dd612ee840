export function OwnerAppeals(_: { domain: string; canAppeal: boolean }) {
  return null;
}
