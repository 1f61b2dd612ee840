/**
 * The specification's texts, in its words, by the situation in which a person meets them. `texts-*.spec.ts` bring each
 * situation about and find its texts; `adminTexts` has the screens of admins.
 */
export const publicTexts = {
  'every page: header and footer, signed out': {
    from: '§2 Header and footer',
    texts: [
      'Linksieve',
      'Features',
      'Use Cases',
      'About',
      'Sign In',
      'Get Free Access',
      '©',
      'Privacy Policy',
      'Terms of Service',
      'Contact',
    ],
  },
  'home, signed out': {
    from: '§2 Home page',
    texts: [
      'Protect Your SEO From Harmful Backlinks',
      'Updated monthly',
      "Sign Up - It's Free",
      'View Features',
      'Install Extension',
      '+',
      'Monthly',
      'updates',
      'Free',
      'forever access',
      'Domain Database',
      'Backlink Risk Assessment',
      'Export & Reporting',
      'How It Works',
      'Sign in with Google and search',
      'Upload the backlink CSV export',
      'Get the toxicity report and export harmful links',
      'Why use',
      'Protect rankings',
      'Save time',
      'Monitor progress',
      'Free access',
    ],
  },
  'home, signed in': {
    from: '§2 Home page',
    texts: ['Search Domain Database', 'Analyze Your Backlinks', 'Run Risk Assessment'],
  },
  'not found': { from: '§2 Route table', texts: ['404 Page Not Found'] },
  'pricing, on its way': { from: '§2 Route table', texts: ['Redirecting to features page...'] },
  'features, signed out': {
    from: '§2 Features',
    texts: ['Core features', 'Advanced features', 'Free access', 'Frequently asked questions', 'Sign in with Gmail'],
  },
  'features, signed in': { from: '§2 Features', texts: ['Go to Dashboard'] },
  'use cases': {
    from: '§2 Use cases',
    texts: [
      'Link-building verification',
      'Disavow file creation',
      'Profile monitoring',
      'Competitor analysis',
      'API integration',
      'features',
    ],
  },
  about: { from: '§2 About', texts: ['About', 'How it works', 'Submit Links'] },
  'about, with calls': { from: '§2 About', texts: ['Book a Call'] },
  'privacy policy': { from: '§2 Legal', texts: ['Privacy Policy', 'April 21, 2025', 'Return to Home', '16'] },
  'terms of service': { from: '§2 Legal', texts: ['Terms of Service', '1. ', '15. ', 'Return to Home'] },
  contact: {
    from: '§2 Contact page',
    texts: ['Contact Us', 'Name', 'Email', 'Subject', 'Message', '24 hours on business days'],
  },
  'contact, questions': {
    from: '§2 Contact page',
    texts: ['technical support', 'feature requests are welcome', 'SEO experts'],
  },
  'contact, nothing filled in': {
    from: '§5 Contact form',
    texts: [
      'Name must be at least 2 characters',
      'Please enter a valid email address',
      'Subject must be at least 5 characters',
      'Message must be at least 10 characters',
    ],
  },
  'contact, the server fails': {
    from: '§8',
    texts: ['Error', 'There was a problem sending your message. Please try again.'],
  },
  'contact, sent': {
    from: '§2 Contact page, §8',
    texts: [
      'Thank You for Reaching Out!',
      'Send Another Message',
      'Message sent!',
      'Your message has been saved to the admin inbox.',
    ],
  },
  'session unknown': { from: '§2 Guard', texts: ['Loading...'] },
  'sign in': {
    from: '§2 Auth page',
    texts: ['Login', 'Register', 'Continue with Google', 'Username or email', 'Password'],
  },
  'sign in, nothing filled in': { from: '§5 Login', texts: ['Missing Information'] },
  'sign in, refused': { from: '§8', texts: ['Login Failed', 'Invalid username or password'] },
  'sign in, unexpected answer': {
    from: '§8',
    texts: ['Sign in failed', 'There was a problem signing you in. Please try again.'],
  },
  'signed in': { from: '§8', texts: ['Signed in successfully!', 'Welcome'] },
  register: {
    from: '§2 Auth page',
    texts: ['Email', 'Username', 'Display name', 'Password', 'Confirm password'],
  },
  'register, nothing filled in': {
    from: '§5, §8',
    texts: ['Registration failed', 'Please fill in all required fields'],
  },
  'register, passwords differ': { from: '§2, §5', texts: ['Password Mismatch', 'Passwords do not match'] },
  'register, passwords match': { from: '§2 Auth page', texts: ['Passwords match'] },
  'register, refused without a reason': { from: '§8', texts: ['Registration failed', 'Unable to create account'] },
  'register, the server fails': {
    from: '§8',
    texts: ['Registration Failed', 'Could not create account. Please try again.'],
  },
  'register, unexpected answer': {
    from: '§8',
    texts: ['There was a problem creating your account. Please try again.'],
  },
  registered: { from: '§8', texts: ['Registration successful'] },
  'sign out fails': { from: '§8', texts: ['Sign out failed', 'There was a problem signing you out'] },
  'debug login': { from: '§2 Debug login', texts: ['Email', 'Name', 'Username'] },
  'debug login, nothing filled in': { from: '§5 Debug login', texts: ['Email required'] },
  'debug login, refused': { from: '§8', texts: ['Login failed', 'Failed to create debug user'] },
  'signed out': { from: '§8', texts: ['Signed out', 'You have been signed out successfully'] },
} as const;

/** Texts that come with a later issue, and why they are not looked for yet. */
export const laterTexts = {
  'Google sign-in': {
    because:
      'These are codes: people are told a sentence for each, which web/accounts/google-errors.test.ts asks for; the last stands in the settings.',
    texts: [
      'invalid-email',
      'wrong-password',
      'invalid-credential',
      'email-already-in-use',
      'user-not-found',
      'too-many-requests',
      'expired-action-code',
      'requires-recent-login',
      'user-token-expired',
      'popup-blocked',
      'popup-closed-by-user',
      'unauthorized-domain',
      'network-request-failed',
      'Emulator addresses must start with http or https',
    ],
  },
  codes: {
    because: 'Codes between browser and server: what people read of them stands in the lists as sentences.',
    texts: ['EXISTING_PROFILE:{profileId}', 'DUPLICATE_DOMAIN:{domain}', '{status}: {error or message or status text}'],
  },
} as const;
