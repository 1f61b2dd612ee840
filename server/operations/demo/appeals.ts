import { randomBytes } from 'node:crypto';
import type { AppealDecision } from '#shared/blacklist/appeals.ts';
import { registerAccount } from '../../accounts/accounts/accounts.ts';
import { createAppeal, decideAppeal, verifyAppeal } from '../../blacklist/appeals/appeals.ts';
import type { Context } from '../../context.ts';
import { type Identity, noAudit } from '../../platform/http/scope.ts';
import { listFirstDomains } from './store.ts';

const day = 24 * 3_600_000;

interface DemoAppeal {
  /** Undefined: one of the imported domains. */
  domain?: string;
  message: string;
  statement: string;
  daysAgo: number;
  decision?: AppealDecision;
}

const appeals: DemoAppeal[] = [
  {
    domain: 'daily-finance-wire.example',
    message: 'We relaunched in spring and label all sponsored articles now. Please remove the listing.',
    statement:
      'Daily Finance Wire was relaunched with new editors. Sponsored articles are labeled, and their links have rel="sponsored".',
    daysAgo: 9,
    decision: {
      decision: 'keep',
      publishStatement: true,
      reason:
        'Your media kit still offers followed links from $240. Write to us again when that page is gone. We published your statement.',
    },
  },
  {
    message:
      'We bought this domain at an auction in January. The marketplace offer is from the previous owner, who we have no contact with.',
    statement: 'This domain has had new owners since January. We do not sell links.',
    daysAgo: 1,
  },
];

/** Creates the account of a site owner and verified appeals, one of them with a decision. */
export async function fillAppeals(context: Context, admin: Identity): Promise<void> {
  const withoutMail: Context = { ...context, config: { ...context.config, mail: undefined } };
  const owner = await registerAccount(context.db, {
    username: 'dana.reyes',
    email: 'dana@daily-finance-wire.example',
    password: randomBytes(24).toString('hex'),
    displayName: 'Dana Reyes',
  });
  const imported = (await listFirstDomains(context.db, 3)).at(-1);
  for (const { domain = imported?.name ?? '', daysAgo, decision, message, statement } of appeals) {
    const sentAt = new Date(context.now().getTime() - daysAgo * day);
    const at: Context = { ...withoutMail, now: () => sentAt };
    const { id, token } = await createAppeal(at, owner.id, { name: domain, message, statement, proof: 'dns' });
    // No name server has made-up domains, so the record is not looked up.
    const outbound = { ...context.outbound, resolveTxt: async () => [token] };
    await verifyAppeal({ ...at, outbound }, owner.id, domain, id);
    const decidedAt = new Date(sentAt.getTime() + 2 * day);
    if (decision) await decideAppeal({ ...withoutMail, now: () => decidedAt }, id, decision, { admin, audit: noAudit });
  }
}
