import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder where the mail server of the browser tests stores the emails it receives. */
export const emailFolder = join(tmpdir(), `linksieve-e2e-mail-${process.env.E2E_PORT ?? process.env.PORT ?? 4173}`);
