import type { SpecTexts } from './spec-texts.ts';

/** The specification's texts about checkouts and subscriptions. */
export const checkoutTexts = {
  'simulated checkout': {
    from: '§2 Simulated checkout, §9',
    main: ['Standard', '$19/month', 'no real payment is processed', 'Confirm Standard Subscription', 'Cancel'],
  },
  'simulated checkout of the other plan': {
    from: '§2 Simulated checkout, §9',
    main: ['Business', '$49/month', 'Confirm Business Subscription'],
  },
  'simulated checkout, fails': {
    from: '§8',
    toast: ['Subscription Error', 'There was a problem activating your subscription.'],
    main: ['Failed to process subscription'],
  },
  'simulated checkout, on its way': { from: '§2 Simulated checkout', main: ['Processing...'] },
  'simulated checkout, confirmed': {
    from: '§4, §8',
    toast: ['Subscription Activated'],
    main: ['Subscription Activated', 'Full Access'],
  },
  'checkout canceled': { from: '§2 Route table', toast: ['Checkout canceled', 'Nothing was charged.'] },
  'back from a payment': { from: '§8', toast: ['Payment successful'] },
  'a smaller plan': { from: '§8', toast: ['Downgrade Scheduled'] },
  'a plan cancelled': { from: '§8', toast: ['Subscription Cancelled'] },
  'test of the checkout, signed out': {
    from: '§2 Test checkout pages',
    main: ['not for production', 'You must be logged in to test checkout'],
  },
  'test of the checkout': {
    from: '§2 Test checkout pages',
    main: [
      'not for production',
      'Standard $19/month',
      'Business $49/month',
      "In Stripe's test mode the card 4242 4242 4242 4242 pays",
      'Open Checkout',
    ],
  },
  'test of the checkout, a free plan': {
    from: '§2 Test checkout pages',
    main: ['The direct flag is set', 'the free tier is sent on'],
  },
  'test of the checkout, no address': { from: '§2, §8', main: ['No checkout URL in response'] },
  'test of the checkout, no JSON': { from: '§8', main: ['Invalid JSON response: '] },
  'test of the checkout, fails': { from: '§8', main: ['Failed to test checkout'] },
  'test by mail address': { from: '§2 Test checkout pages', main: ['Email', 'not for production'] },
  'test by mail address, no address': { from: '§8', main: ['No checkout URL available'] },
  'test by mail address, refused': { from: '§8', main: ['Failed to create checkout session'] },
  'test by mail address, fails': { from: '§8', main: ['Unknown error occurred'] },
} as const satisfies Record<string, SpecTexts>;
