/** The specification's texts about checkouts and what one pays for. */
export const checkoutTexts = {
  'simulated checkout': {
    from: '§2 Simulated checkout, §9',
    texts: ['Standard', '$19/month', 'no real payment is processed', 'Confirm Standard Subscription', 'Cancel'],
  },
  'simulated checkout of the other plan': {
    from: '§2 Simulated checkout, §9',
    texts: ['Business', '$49/month', 'Confirm Business Subscription'],
  },
  'simulated checkout, fails': {
    from: '§8',
    texts: [
      'Subscription Error',
      'There was a problem activating your subscription.',
      'Failed to process subscription',
    ],
  },
  'simulated checkout, on its way': { from: '§2 Simulated checkout', texts: ['Processing...'] },
  'simulated checkout, confirmed': { from: '§4, §8', texts: ['Subscription Activated', 'Full Access'] },
  'checkout canceled': { from: '§2 Route table', texts: ['Checkout canceled', 'Nothing was charged.'] },
  'back from a payment': { from: '§8', texts: ['Payment successful'] },
  'a smaller plan': { from: '§8', texts: ['Downgrade Scheduled'] },
  'a plan cancelled': { from: '§8', texts: ['Subscription Cancelled'] },
  'test of the checkout, signed out': {
    from: '§2 Test checkout pages',
    texts: ['not for production', 'You must be logged in to test checkout'],
  },
  'test of the checkout': {
    from: '§2 Test checkout pages',
    texts: ['not for production', '$19/month', '$49/month', 'test mode', 'card', 'Open Checkout'],
  },
  'test of the checkout, a free plan': { from: '§2 Test checkout pages', texts: ['direct', 'free tier'] },
  'test of the checkout, no address': { from: '§2, §8', texts: ['No checkout URL in response'] },
  'test of the checkout, no JSON': { from: '§8', texts: ['Invalid JSON response: '] },
  'test of the checkout, fails': { from: '§8', texts: ['Failed to test checkout'] },
  'test by mail address': { from: '§2 Test checkout pages', texts: ['Email', 'not for production'] },
  'test by mail address, no address': { from: '§8', texts: ['No checkout URL available'] },
  'test by mail address, refused': { from: '§8', texts: ['Failed to create checkout session'] },
  'test by mail address, fails': { from: '§8', texts: ['Unknown error occurred'] },
} as const;
