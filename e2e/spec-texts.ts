/** The part of a screen where a text is expected. */
export type Place = 'header' | 'main' | 'footer' | 'menu' | 'dialog' | 'toast' | 'table headings' | 'admin navigation';

/** A text from the specification, or a regular expression if a number or a name in it varies. */
export type Phrase = string | RegExp;

/** The texts of one situation by place. `from` is their section in the specification. */
export interface SpecTexts extends Partial<Record<Place, readonly Phrase[]>> {
  from: string;
}

/** The specification's texts on public pages, by situation. */
export const publicTexts = {
  'header and footer, signed out': {
    from: '§2 Header and footer',
    header: ['Linksieve', 'Features', 'Use Cases', 'About', 'Sign In', 'Get Free Access'],
    footer: [/^© 20\d\d Linksieve\. All rights reserved\.$/, 'Privacy Policy', 'Terms of Service', 'Contact'],
  },
  'home, signed out': {
    from: '§2 Home page',
    main: [
      'Protect Your SEO From Harmful Backlinks',
      'Updated monthly',
      "Sign Up - It's Free",
      'View Features',
      'Install Extension',
      /^\d[\d,]*\+$/,
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
      'Why use Linksieve',
      'Protect rankings',
      'Save time',
      'Monitor progress',
      'Free access',
    ],
  },
  'home, signed in': {
    from: '§2 Home page',
    main: ['Search Domain Database', 'Analyze Your Backlinks', 'Run Risk Assessment'],
  },
  'not found': { from: '§2 Route table', main: ['404 Page Not Found'] },
  'pricing, redirecting': { from: '§2 Route table', main: ['Redirecting to features page...'] },
  'features, signed out': {
    from: '§2 Features',
    main: ['Core features', 'Advanced features', 'Free access', 'Frequently asked questions', 'Sign in with Gmail'],
  },
  'features, signed in': { from: '§2 Features', main: ['Go to Dashboard'] },
  'use cases': {
    from: '§2 Use cases',
    main: [
      'Link-building verification',
      'Disavow file creation',
      'Profile monitoring',
      'Competitor analysis',
      'API integration',
      'See all features',
    ],
  },
  about: { from: '§2 About', main: ['About the Paid-Link Blacklist', 'How it works', 'Submit Links'] },
  'about, with calls': { from: '§2 About', main: ['Book a Call'] },
  'privacy policy': {
    from: '§2 Legal',
    main: ['Privacy Policy', /^Last updated:? April 21, 2025$/, 'Return to Home', 'under the age of 16'],
  },
  'terms of service': {
    from: '§2 Legal',
    main: ['Terms of Service', '1. Acceptance of these terms', '15. Changes, law and contact', 'Return to Home'],
  },
  contact: {
    from: '§2 Contact page',
    main: ['Contact Us', 'Name', 'Email', 'Subject', 'Message', '24 hours on business days'],
  },
  'contact, questions': {
    from: '§2 Contact page',
    main: ['Do you offer technical support?', 'feature requests are welcome', 'experienced SEO experts'],
  },
  'contact, nothing filled in': {
    from: '§5 Contact form',
    main: [
      'Name must be at least 2 characters',
      'Please enter a valid email address',
      'Subject must be at least 5 characters',
      'Message must be at least 10 characters',
    ],
  },
  'contact, the server fails': {
    from: '§8',
    toast: ['Error', 'There was a problem sending your message. Please try again.'],
  },
  'contact, sent': {
    from: '§2 Contact page, §8',
    main: ['Thank You for Reaching Out!', 'Send Another Message'],
    toast: ['Message sent!', 'Your message has been saved to the admin inbox.'],
  },
  'session loading': { from: '§2 Guard', main: ['Loading...'] },
  'sign in': {
    from: '§2 Auth page',
    main: ['Login', 'Register', 'Continue with Google', 'Username or email', 'Password'],
  },
  'sign in, nothing filled in': { from: '§5 Login', toast: ['Missing Information'] },
  'sign in, refused': { from: '§8', toast: ['Login Failed', 'Invalid username or password'] },
  'sign in, unexpected response': {
    from: '§8',
    toast: ['Sign in failed', 'There was a problem signing you in. Please try again.'],
  },
  'signed in': { from: '§8', toast: ['Signed in successfully!', /^Welcome back, .+\.$/] },
  register: {
    from: '§2 Auth page',
    main: ['Email', 'Username', 'Display name (optional)', 'Password', 'Confirm password'],
  },
  'register, nothing filled in': {
    from: '§5, §8',
    toast: ['Registration failed', 'Please fill in all required fields'],
  },
  'register, passwords differ': { from: '§2, §5', toast: ['Password Mismatch'], main: ['Passwords do not match'] },
  'register, passwords match': { from: '§2 Auth page', main: ['Passwords match'] },
  'register, refused without a reason': { from: '§8', toast: ['Registration failed', 'Unable to create account'] },
  'register, the server fails': {
    from: '§8',
    toast: ['Registration Failed', 'Could not create account. Please try again.'],
  },
  'register, unexpected response': {
    from: '§8',
    toast: ['There was a problem creating your account. Please try again.'],
  },
  registered: { from: '§8', toast: ['Registration successful'] },
  'sign out fails': { from: '§8', toast: ['Sign out failed', 'There was a problem signing you out'] },
  'debug login': { from: '§2 Debug login', main: [/^Email \*$/, 'Name (optional)', 'Username (optional)'] },
  'debug login, nothing filled in': { from: '§5 Debug login', main: ['Email required'] },
  'debug login, refused': { from: '§8', toast: ['Login failed', 'Failed to create debug user'] },
  'signed out': { from: '§8', toast: ['Signed out', 'You have been signed out successfully'] },
} as const satisfies Record<string, SpecTexts>;

/** Texts of the specification that no browser test checks, and why. */
export const uncheckedTexts = {
  'Google sign-in': {
    because:
      'Users see a sentence for each code, as web/accounts/accounts/google-sign-in.test.ts checks. The last text is for admins.',
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
    because: 'Users do not see these codes. The lists above contain the sentences they see instead.',
    texts: ['EXISTING_PROFILE:{profileId}', 'DUPLICATE_DOMAIN:{domain}', '{status}: {error or message or status text}'],
  },
} as const;
