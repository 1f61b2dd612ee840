import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the mail server of a browser run stores each email that it receives. */
export const emailFolder = join(tmpdir(), `linksieve-e2e-mail-${process.env.E2E_PORT ?? process.env.PORT ?? 4173}`);
