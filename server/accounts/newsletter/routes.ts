import * as contract from '#shared/accounts/newsletter.ts';
import type { Context } from '../../context.ts';
import { getClientNetwork } from '../../platform/http/address.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { getAccount } from '../accounts/accounts.ts';
import { isSubscribed, subscribe, updateNewsletterSubscription } from './newsletter.ts';
import { findSubscriptionByToken, unsubscribeByToken } from './store.ts';

export const newsletterRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { db, now } = context;

    route(scope, contract.subscribe, async ({ body, request }) => {
      await subscribe(context, body, getClientNetwork(request));
      return { success: true as const };
    });

    route(scope, contract.getNewsletterStatus, async ({ query: { token } }) => {
      const found = await findSubscriptionByToken(db, token);
      if (!found) throw unknownLinkError();
      return { subscribed: found.unsubscribedAt === null };
    });

    route(scope, contract.unsubscribe, async ({ query: { token } }) => {
      if (!(await unsubscribeByToken(db, token, now()))) throw unknownLinkError();
      return { subscribed: false };
    });
  },

  user(scope: Scope<'user'>, { db, now }: Context): void {
    route(scope, contract.getMyNewsletterStatus, async ({ user }) => {
      const { email } = await getAccount(db, user.id);
      return { subscribed: await isSubscribed(db, email) };
    });

    route(scope, contract.updateMyNewsletterStatus, async ({ user, body: { subscribed } }) => {
      const { email } = await getAccount(db, user.id);
      await updateNewsletterSubscription(db, email, subscribed, now());
      return { subscribed };
    });
  },
};

const unknownLinkError = () =>
  new HttpError(404, 'not_found', 'This link is no longer valid. You can also unsubscribe in your account.');
