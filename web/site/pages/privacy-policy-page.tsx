import { Link } from '@tanstack/react-router';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import { TextTable } from '../../ui/doc-page.tsx';
import { LegalPage, type LegalSection } from './legal-page.tsx';
import { OperatorName } from './operator-name.tsx';
import styles from './privacy-policy-page.module.css';

export function PrivacyPolicyPage() {
  useTitle(publicPageTitles[paths.privacyPolicy]);
  return (
    <LegalPage
      title="Privacy Policy"
      lastUpdated="April 21, 2025"
      lead="What Linksieve stores about you, why and for how long, and how to download or delete it."
      sections={privacySections}
    />
  );
}

const privacySections: readonly LegalSection[] = [
  {
    id: 'who',
    title: 'Who is responsible',
    body: (
      <p>
        This site is run by <OperatorName />, who is responsible for your data. Use the{' '}
        <Link to={paths.contact}>contact page</Link> for any question about it.
      </p>
    ),
  },
  {
    id: 'visitors',
    title: 'Visiting without an account',
    body: (
      <>
        <p>
          The public pages set one cookie, with your time zone and the width of the window, so that pages have the right
          dates and columns at once. Reading them stores nothing about you on the server. Your IP address is used to
          respond to your requests and to limit how many you can send. Ordinary requests are not logged.
        </p>
        <p>
          If you check a domain on the home page or open the page of a domain, we count the check by IP address for up
          to two hours, so that nobody can copy the database this way. We do not store the domain that you check.
        </p>
        <p>
          If you check a whole list, we store its domains and prices for 24 hours, without your IP address. Anyone with
          the link to the results can open them.
        </p>
      </>
    ),
  },
  {
    id: 'stored',
    title: 'What we store and for how long',
    body: (
      <>
        <p>Everything is stored on the operator's servers, and used only for the purpose you provided it for:</p>
        <StoredData />
        <p>If the operator makes backups, deleted data remains in them until they are replaced.</p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and browser storage',
    body: (
      <>
        <p>
          Three cookies last longer than ten minutes. <code>display</code> has your time zone and the width of the
          window, for a year. The others are set when you sign in, and scripts cannot read them. <code>__Host-sid</code>{' '}
          (or <code>sid</code> on a server without HTTPS) keeps you signed in. <code>__Host-device</code> (or{' '}
          <code>device</code>) stays for a year after you sign out, so that nobody can lock you out of your account by
          trying wrong passwords, and so that this browser can be remembered for two-factor authentication.
        </p>
        <p>
          While an assistant asks for access to your account, <code>oauth_request</code> and <code>oauth_resume</code>,
          and a signature of each, remember for ten minutes that this browser opened the request.
        </p>
        <p>
          Your browser also stores some data. Local storage contains your theme, whether single-key shortcuts are off,
          and the language of the API examples. During a payment, it also contains the page to return to. If you sign in
          with Google, it contains your Google identifier during a payment, and Google's library stores its tokens in
          your browser until you sign out. Session storage contains the page to return to after you sign in, and forms
          that you have not sent yet.
        </p>
      </>
    ),
  },
  {
    id: 'no-trackers',
    title: 'No tracking',
    body: (
      <p>
        There are no analytics services, no advertising and no tracking pixels. Scripts, fonts and images come from this
        server only, except for users who sign in with Google. We do not sell or rent your data, and we do not add the
        domains in your exports to the blacklist.
      </p>
    ),
  },
  {
    id: 'others',
    title: 'Other services',
    body: (
      <>
        <p>These services are involved only if the operator has set them up and you use them:</p>
        <ul>
          <li>
            <b>Google sign-in.</b> Google learns that you sign in here, and sends us your identifier, email address,
            name and picture URL. Google's script and your picture are then loaded from Google's servers, and your
            browser keeps the Google sign-in in its local storage.
          </li>
          <li>
            <b>Other sign-in providers.</b> The provider learns that you sign in here, and sends us your identifier,
            email address, name and groups. We do not store the groups.
          </li>
          <li>
            <b>Payments.</b> Full Access is free. If the operator offers a checkout, Stripe handles it. Card numbers
            never reach this server.
          </li>
          <li>
            <b>Email.</b> Emails to you, such as replies to your messages, are sent through the operator's email
            provider.
          </li>
          <li>
            <b>Product news.</b> Registering or signing in with Google subscribes you to product updates by email. You
            can unsubscribe at any time in your account, under Notifications.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'who-sees',
    title: 'Who can see your data',
    body: (
      <p>
        Other users cannot see any of your data. Anyone with the link can read a report that you share. Admins can see
        accounts, the domains and owners of website profiles, submissions, appeals and messages, to run the site. They
        cannot open your reports, but they can transfer a website profile with its reports, decisions and disavow files
        to another account. Their changes are recorded in an audit log. We give data to others only if the law requires
        it.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>
          In <Link to={paths.account}>My Account</Link> you can download your data, change your name, email address and
          password, and delete your account. Deleting it immediately removes your account, sessions, security activity,
          API keys, saved views, checked lists, messages with our replies, stored emails, product news subscription,
          websites and reports. You can choose to leave your websites, reports and decisions to the admins, without your
          name, notes, tags, disavow files, shared links, watched hosts and alerts.
        </p>
        <p>
          Some data remains. The text of your submissions and of your decided appeals stays as the record of a listing,
          without your name. Your username stays in audit log entries about your account. Entries about your appeals
          also keep the domain and your IP address. If you were an admin, your username and IP address stay in the
          entries about your own changes, and your username in the listings you added. Audit log entries cannot be
          edited or deleted.
        </p>
        <p>
          For anything else, such as a correction or an objection, use the <Link to={paths.contact}>contact page</Link>.
          You can also file a complaint with the data protection authority where you live.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        This service is not for people under the age of 16, and we do not knowingly store their data. If you believe
        that someone under 16 has an account, tell us and we will delete it.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'Security',
    body: (
      <p>
        Passwords and session identifiers are stored as hashes, and API keys are encrypted. The server checks that every
        request for personal data comes from its owner. No system is perfect: if you find a vulnerability, please tell
        us before you publish it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: <p>We may change this policy. The version on this page applies.</p>,
  },
];

/** The data in the tables of migrations/, in plain words. */
const storedData = [
  {
    what: 'Account',
    stored:
      'Email address and whether you have confirmed it, username, display name, when you joined and when you were last active. Your password only as an Argon2 hash. If you sign in with Google: your Google identifier and the URL of your picture. If you sign in with another provider: its address and your identifier there.',
    until: 'Until you delete your account.',
  },
  {
    what: 'Sessions',
    stored:
      'For each sign-in: a hash of the session identifier, IP address, browser, start, last use, and when you last entered your password or a code.',
    until: 'Until you sign out or end it in My Account, 7 days after the last use, or 30 days after the sign-in.',
  },
  {
    what: 'Security activity',
    stored:
      'For each sign-in, failed sign-in and change of your password, email address, second factor, sessions or API keys: time, IP address, browser, and the name of the API key. Failed sign-ins of one network within an hour are counted together.',
    until: '400 days, or until you delete your account.',
  },
  {
    what: 'Two-factor authentication',
    stored:
      'If you turn it on: when you did, the encrypted key of your authenticator app, when you last used a code, and hashes of your recovery codes.',
    until: 'Until you turn it off or delete your account.',
  },
  {
    what: 'Emailed links',
    stored:
      'The email address for which a password reset was requested, or that you have registered with or want to use for your account, and a hash of the link.',
    until: 'Up to two hours.',
  },
  {
    what: 'Rate limits',
    stored:
      'Failed sign-ins, registrations, password resets, changes and confirmations of email addresses, messages, submissions, appeals, domain checks and checked lists, counted by IP address, account, or the name that was entered.',
    until: 'Up to two hours.',
  },
  {
    what: 'Uploads',
    stored: 'The backlink export during its analysis.',
    until: 'Until the analysis ends or is canceled. After a crash, up to a day.',
  },
  {
    what: 'Websites and reports',
    stored:
      'The domains and tags of your website profiles. For each analysis: the name and size of the file, and the result. For each report: the totals, the listed domains that link to you, and the pages with those links, with their anchor texts and dates.',
    until: 'Until you delete the report, the website or your account.',
  },
  {
    what: 'Decisions and disavow files',
    stored:
      'For each website: what you decided about domains, with your notes; the disavow files that you upload, with their text; and your answers to “Should I disavow?”.',
    until: 'Until you remove the decision or note, delete the file, or delete the website or your account.',
  },
  {
    what: 'Watched hosts and alerts',
    stored:
      'For each website: the hosts in the exports that you uploaded, with the number of their links and when they were first and last in an export, to compare them with changes of the blacklist; how the website is watched; the resulting alerts; and a number in the address of your feed of alerts.',
    until:
      'A host until no export has contained it for a year, and an alert for 400 days. Everything until you delete the website or your account.',
  },
  {
    what: 'Webhooks',
    stored:
      'If you add a webhook: its address, its secret in encrypted form, and the events that were sent to it with the responses.',
    until: 'An event for 30 days. Everything until you delete the webhook or your account.',
  },
  {
    what: 'Shared reports',
    stored: 'If you share a report: a hash of the link, and when it was created and expires.',
    until: 'Until the link expires, or you end it or delete the report, the website or your account.',
  },
  {
    what: 'Submissions',
    stored: 'Domain, evidence, source, price, niche, rating, notes, the decision, and your account.',
    until:
      'Two years after a rejection. Otherwise, the text stays as the record of a listing. Deleting your account removes the link to you, so leave personal data out of the text.',
  },
  {
    what: 'Appeals',
    stored:
      'If you appeal the listing of a domain: the domain, your text and statement, the proof, the decision with its reason, and your account.',
    until:
      'Until you delete your account. If an admin has decided, the text stays as the record of a listing, without your name. An appeal without a proof is deleted after 90 days, and one that was refused without a published statement after two years.',
  },
  {
    what: 'Messages',
    stored: 'Name, email address, subject and text of your messages, and our replies.',
    until: 'Up to two years, or until you delete your account.',
  },
  {
    what: 'Emails',
    stored:
      'If this server sends email: each email to you, and each email that notifies admins of your message, submission or appeal, with its text.',
    until: 'Up to a day after it was sent or failed, or until you delete your account.',
  },
  {
    what: 'Searches',
    stored:
      'The number of your searches of the blacklist, and the text and time of the last one. Of a pasted list, only a hash.',
    until: 'Until you delete your account.',
  },
  {
    what: 'Checked lists',
    stored: 'For each list of domains that you check before buying links: its domains and prices. Not the full URLs.',
    until: 'Up to 90 days, or until you delete the list or your account. Without an account, up to a day.',
  },
  {
    what: 'Saved views',
    stored: 'For each view of the blacklist that you save: its name, search, filters and sort.',
    until: 'Until you delete the view or your account.',
  },
  {
    what: 'Plans',
    stored:
      'If you pay for a plan: which one, its start and end, and the identifiers of the payment provider for you, the plan and your last checkout. No card numbers.',
    until:
      'The plan until it ends or you delete your account. The identifiers until you delete your account and the payment provider has deleted its record.',
  },
  {
    what: 'Product news',
    stored: 'Email address, first name if you gave one, and when you subscribed and unsubscribed.',
    until:
      'Until you delete your account. Without an account, until you ask us to delete it. A subscription is deleted 400 days after it ends.',
  },
  {
    what: 'API keys',
    stored:
      'Name, the encrypted key, its expiry, the number of requests, and the time and IP address of the last one. Not the domains you check.',
    until: 'Until you delete the key or your account.',
  },
  {
    what: 'Audit log',
    stored:
      'For each change by an admin: username, IP address, time, and what was changed, such as the username of an account or the domain of a website. For each listed domain: the username of the admin who added it.',
    until: 'As long as the site runs, even if the account is deleted.',
  },
] as const;

function StoredData() {
  return (
    <TextTable label="What is stored about you" columns={['Data', 'What is stored', 'How long']}>
      {storedData.map(({ what, stored, until }) => (
        <tr key={what}>
          <th scope="row">{what}</th>
          <td>{stored}</td>
          <td className={styles.until}>{until}</td>
        </tr>
      ))}
    </TextTable>
  );
}
