import { hkdfSync } from 'node:crypto';

/** The keys of backups. Threads get a copy. */
export interface BackupKeys {
  /** BACKUP_KEY, which also encrypts backups. */
  passphrase: string | undefined;
  /** A backup is written with the first one, and read if it was written with any of them. */
  seals: Uint8Array[];
}

/**
 * Derives the keys that prove where a backup comes from. Backups that were written before BACKUP_KEY was set are proved
 * by the secret key.
 */
export function createBackupKeys(passphrase: string | undefined, secretKey: Buffer | undefined): BackupKeys {
  const sources = [...(passphrase === undefined ? [] : [Buffer.from(passphrase)]), ...(secretKey ? [secretKey] : [])];
  return {
    passphrase,
    seals: sources.map((source) => new Uint8Array(hkdfSync('sha256', source, Buffer.alloc(0), 'backup', 32))),
  };
}
