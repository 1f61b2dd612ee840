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
  'simulated checkout, processing': { from: '§2 Simulated checkout', main: ['Processing...'] },
  'simulated checkout, confirmed': {
    from: '§4, §8',
    toast: ['Subscription Activated'],
    main: ['Subscription Activated', 'Full Access'],
  },
  'checkout canceled': { from: '§2 Route table', toast: ['Checkout canceled', 'Nothing was charged.'] },
  'payment successful': { from: '§8', toast: ['Payment successful'] },
  'downgrade scheduled': { from: '§8', toast: ['Downgrade Scheduled'] },
  'subscription cancelled': { from: '§8', toast: ['Subscription Cancelled'] },
  'checkout test, signed out': {
    from: '§2 Test checkout pages',
    main: ['not for production', 'You must be logged in to test checkout'],
  },
  'checkout test': {
    from: '§2 Test checkout pages',
    main: [
      'not for production',
      'Standard $19/month',
      'Business $49/month',
      "In Stripe's test mode, use the card 4242 4242 4242 4242",
      'Open Checkout',
    ],
  },
  'checkout test, free plan': {
    from: '§2 Test checkout pages',
    main: ['The direct flag is set', 'the free tier redirects'],
  },
  'checkout test, no URL': { from: '§2, §8', main: ['No checkout URL in response'] },
  'checkout test, no JSON': { from: '§8', main: ['Invalid JSON response: '] },
  'checkout test, fails': { from: '§8', main: ['Failed to test checkout'] },
  'checkout test by email': { from: '§2 Test checkout pages', main: ['Email', 'not for production'] },
  'checkout test by email, no URL': { from: '§8', main: ['No checkout URL available'] },
  'checkout test by email, refused': { from: '§8', main: ['Failed to create checkout session'] },
  'checkout test by email, fails': { from: '§8', main: ['Unknown error occurred'] },
} as const satisfies Record<string, SpecTexts>;
