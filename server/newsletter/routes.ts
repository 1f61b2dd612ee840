import * as newsletter from '#shared/newsletter.ts';
import { getAccount } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import { getClientNetwork } from '../http/address.ts';
import { HttpError } from '../http/errors.ts';
import { route, type Scope } from '../http/scope.ts';
import { changeSubscription, isSubscribed, subscribe } from './newsletter.ts';
import { endByToken, findByToken } from './store.ts';

export const newsletterRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { db, now } = context;

    route(scope, newsletter.subscribe, async ({ body, request }) => {
      await subscribe(context, body, getClientNetwork(request));
      return { success: true as const };
    });

    route(scope, newsletter.readSubscription, async ({ query: { token } }) => {
      const found = await findByToken(db, token);
      if (!found) throw unknownLink();
      return { subscribed: found.unsubscribedAt === null };
    });

    route(scope, newsletter.unsubscribe, async ({ query: { token } }) => {
      if (!(await endByToken(db, token, now()))) throw unknownLink();
      return { subscribed: false };
    });
  },

  user(scope: Scope<'user'>, { db, now }: Context): void {
    route(scope, newsletter.readNewsSubscription, async ({ user }) => {
      const { email } = await getAccount(db, user.id);
      return { subscribed: await isSubscribed(db, email) };
    });

    route(scope, newsletter.changeMySubscription, async ({ user, body: { subscribed } }) => {
      const { email } = await getAccount(db, user.id);
      await changeSubscription(db, email, subscribed, now());
      return { subscribed };
    });
  },
};

const unknownLink = () =>
  new HttpError(404, 'not_found', 'This link does not work any more. You can unsubscribe in your account, too.');
