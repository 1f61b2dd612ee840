import type { Config } from '../config.ts';
import { knownOrigin } from '../http/address.ts';

/** Somebody who is written to, or answered to. */
export interface Person {
  /** Shown by mail programs; anybody's text. */
  name?: string | undefined;
  address: string;
}

/** A mail of plain text. Anybody's text may stand anywhere in it. */
export interface Letter {
  to: Person;
  replyTo?: Person;
  subject: string;
  text: string;
  /** Written by a person, not by the program: then others' programs may answer it. */
  byHand?: boolean;
  /** The account whose words or doings it tells: the letter goes with it. */
  about?: number;
  /** A job to be sent once the letter is given up. */
  ifLost?: { queue: string; data: object };
}

/** What may not stand in a header: line ends and other controls, and signs that turn the direction of what follows. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** One plain line for a header, at most `most` characters, cut with '…'. */
export function oneLine(text: string, most = 200): string {
  const line = text.replace(unfit, ' ').replace(/ {2,}/g, ' ').trim();
  const signs = [...line];
  return signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : line;
}

/** An address that stands for one mailbox and nothing else: no list, no name, no quotes, no line ends. */
const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u;

/** Admins made without an address have one of this ending, which no mail server ever reaches (`localhost.localdomain`). */
const nowhere = /\.localdomain$/i;

export function isMailbox(address: string): boolean {
  return mailbox.test(address) && !nowhere.test(address);
}

/** The full address of a page, for the text of a letter. */
export function pageLink(config: Config, path: string): string {
  return `${knownOrigin(config)}${path}`;
}
