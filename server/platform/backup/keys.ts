import { deriveKey, listKeys, type SecretKey } from '../db/secret-key.ts';

/** The keys of backups. Processes get a copy. */
export interface BackupKeys {
  /** BACKUP_KEY, which also encrypts backups. */
  passphrase: string | undefined;
  /** A backup is written with the first one, and read if it was written with any of them. */
  seals: Uint8Array[];
}

/**
 * Derives the keys that prove where a backup comes from. Backups that were written before BACKUP_KEY was set, or before
 * the secret key was rotated, are proved by the secret keys.
 */
export function createBackupKeys(passphrase: string | undefined, secretKey: SecretKey | undefined): BackupKeys {
  const sources = [
    ...(passphrase === undefined ? [] : [Buffer.from(passphrase)]),
    ...(secretKey ? listKeys(secretKey) : []),
  ];
  return { passphrase, seals: sources.map((source) => new Uint8Array(deriveKey(source, 'backup'))) };
}
