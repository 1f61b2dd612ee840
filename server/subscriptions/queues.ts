/** Where a job ends that Stripe has not done in all that time. */
export const givenUpQueue = { name: 'stripe-given-up' };

/** While Stripe is away it is asked again after seconds, then minutes, then every hour: for more than a week. */
const patient = {
  retryLimit: 200,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  deadLetter: givenUpQueue.name,
};

export const settleQueue = { name: 'stripe-settle', ...patient };

export const expireQueue = { name: 'stripe-expire', ...patient };
