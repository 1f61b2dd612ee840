import { Link } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { TextTable } from '../ui/doc-page.tsx';
import { LegalPage, type LegalSection } from './legal-page.tsx';
import { publicHeads } from './pages.tsx';
import classes from './privacy-policy-page.module.css';

export function PrivacyPolicyPage() {
  useTitle(publicHeads[paths.privacyPolicy].title);
  return (
    <LegalPage
      title="Privacy Policy"
      lastUpdated="April 21, 2025"
      lead="What Linksieve knows about you, why, for how long, and how to take it away again. It is written to be read: each sentence describes what the software does."
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
        The operator of this site: the people who run the server that you are talking to. Reach them through the{' '}
        <Link to={paths.contact}>contact page</Link>.
      </p>
    ),
  },
  {
    id: 'visitors',
    title: 'Reading without an account',
    body: (
      <>
        <p>
          The public pages set no cookie and store nothing about you. Your IP address is used to answer you and to slow
          down floods of requests; the log has no line for an ordinary request.
        </p>
        <p>
          If you check a domain on the home page, your IP address is counted for an hour or two, so that nobody copies
          the blacklist that way. The domain that you asked about is not kept.
        </p>
      </>
    ),
  },
  {
    id: 'stored',
    title: 'What is stored, and until when',
    body: (
      <>
        <p>Everything is stored on the operator's server, for the purpose that you gave it for:</p>
        <StoredFacts />
        <p>Where the operator makes backups, deleted data leaves them when the backups are replaced.</p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and storage in your browser',
    body: (
      <>
        <p>
          There is one cookie, <code>__Host-sid</code> (or <code>sid</code> on a server without HTTPS). It keeps you
          signed in, is set when you sign in, and is necessary for that. Scripts cannot read it.
        </p>
        <p>
          Your browser also remembers, and does not send to us: your choice of theme, whether single-key shortcuts are
          off and the language of API examples (local storage), and for the length of a visit where to go after signing
          in, and a form that you have not sent yet (session storage).
        </p>
      </>
    ),
  },
  {
    id: 'no-trackers',
    title: 'No trackers',
    body: (
      <p>
        There is no analytics service, no advertising, no tracking pixel, and no script, font or picture from another
        server, but for people who sign in with Google. Your data is not sold or rented, and your exports are not used
        to fill the blacklist.
      </p>
    ),
  },
  {
    id: 'others',
    title: 'Other services',
    body: (
      <>
        <p>None takes part unless the operator has set it up and you use it:</p>
        <ul>
          <li>
            <b>Sign-in with Google.</b> Google learns that you sign in here, and tells us your identifier, email
            address, name and picture address. Google's script and your picture then come from Google's servers; for
            anybody else nothing does.
          </li>
          <li>
            <b>Payments.</b> Full Access is free. Where a checkout is offered, Stripe handles it; card numbers never
            reach this server.
          </li>
          <li>
            <b>Mail.</b> Messages to you, such as the answer to a question, go through the operator's mail provider.
          </li>
          <li>
            <b>Product news.</b> Signing up, or in with Google, subscribes you to letters about what is new here. You
            can end that at any time in your account, under Security.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'who-sees',
    title: 'Who sees your data',
    body: (
      <p>
        Other users see nothing of yours. Admins see accounts, the domains and owners of website profiles, submissions
        and messages, as far as they need them to run the site. What they change is written down. Data is handed to
        others only where the law requires it.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>
          In <Link to={paths.account}>My Account</Link> you can download your data, change your password and delete your
          account. Deleting removes your account, sessions, API keys, messages with our answers, mails that are still
          kept, product news, websites and reports at once; only if you ask for it do websites and reports stay with the
          admins, without your name.
        </p>
        <p>
          Two things stay. The text of your submissions does, without your name, as the record of a listing. And your
          username does where it stands in the record of what admins did: because you were one, or because an act was
          about your account. That record is only added to, so that nobody can hide what they did.
        </p>
        <p>
          For everything else, such as a correction, an objection or a question, use the{' '}
          <Link to={paths.contact}>contact page</Link>. You may also complain to the data protection authority where you
          live.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        This service is not for people under the age of 16, and we do not knowingly store data about them. If you
        believe that somebody under 16 has made an account, tell us and we will delete it.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'Security',
    body: (
      <p>
        Passwords and session numbers are stored as hashes, API keys encrypted. Every request for personal data is
        checked against its owner on the server. No system is perfect: if you find a hole, please write to us before you
        publish it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: <p>The date at the top says when this text last changed. What it says now is what applies.</p>,
  },
];

/** What is stored about a person, what for, and until when: the tables of migrations/, in words. */
const facts = [
  {
    what: 'Account',
    stored:
      'Email address, username, display name, the day you joined and when you were last here. A password only as an Argon2 hash. If you sign in with Google: your identifier there and the address of your picture.',
    until: 'Until you delete your account.',
  },
  {
    what: 'Sessions',
    stored:
      'For each sign-in: a hash of its random number, your IP address, the name of your browser, its beginning and its last use.',
    until: '30 days after signing in, 7 days after the last use, or when you end it in My Account or log out.',
  },
  {
    what: 'Forgotten passwords',
    stored: 'The address that a link to a new password was asked for, and a hash of the link.',
    until: 'One to two hours.',
  },
  {
    what: 'Limits',
    stored:
      'Failed sign-ins, new accounts, links to a new password, messages and checks of a domain, counted by IP address or account, so that nobody guesses passwords or floods the site.',
    until: 'One to two hours.',
  },
  {
    what: 'Uploads',
    stored: 'The backlink export while it is being read.',
    until: 'Until the analysis ends or is cancelled. What a crash leaves behind goes after a day.',
  },
  {
    what: 'Websites and reports',
    stored:
      'The domains of your website profiles. For each report: the name of the file, the totals, the listed domains that link to you and the pages with those links.',
    until: 'Until you delete the report, the website or your account.',
  },
  {
    what: 'Submissions',
    stored:
      'The domain, your evidence, source, price, niche, rating and notes, the decision, and whose submission it was.',
    until:
      'The text stays as the record of a listing. Whose it was goes with your account: name yourself in the text only if that may stay.',
  },
  {
    what: 'Messages',
    stored: 'Name, email address, subject and text of what you write to us, and our answers.',
    until: 'With an account, until you delete it; else until you ask us to delete them.',
  },
  {
    what: 'Mails',
    stored:
      'Where the operator sends mail: each mail to you, and each that tells admins of your message or submission, with its text.',
    until: 'A day after it was sent or given up, and no longer than your account.',
  },
  {
    what: 'Searches',
    stored:
      'How many you made in the blacklist, and the last one with its time: sorting what it found is not another one.',
    until: 'Until you delete your account.',
  },
  {
    what: 'Plans',
    stored:
      'If you pay for one: which, since when and until when, and the numbers that the payment provider has for you, the plan and your last checkout. No card.',
    until:
      'The plan until it ends or you delete your account; the numbers until you delete your account, and then until the payment provider has deleted you too.',
  },
  {
    what: 'Product news',
    stored: 'Email address, first name if you gave one, when you subscribed and, if so, when you unsubscribed.',
    until: 'Until you delete your account; else until you ask us to delete it.',
  },
  {
    what: 'API keys',
    stored: 'Name, the key itself encrypted, and the number of requests a day. Not which domains were asked for.',
    until: 'Until you delete the key or your account.',
  },
  {
    what: 'Acts of admins',
    stored:
      'Username, IP address, time and act of those who change the blacklist, accounts or submissions, and what it was about, such as the username of an account or the domain of a website. At a domain, the username of the admin who listed it.',
    until:
      'As long as the site runs, also when an account is gone: it must stay possible to tell who changed what, and nobody can delete a line.',
  },
] as const;

function StoredFacts() {
  return (
    <TextTable label="What is stored about you" columns={['What', 'What is stored', 'Until when']}>
      {facts.map(({ what, stored, until }) => (
        <tr key={what}>
          <th scope="row">{what}</th>
          <td>{stored}</td>
          <td className={classes.until}>{until}</td>
        </tr>
      ))}
    </TextTable>
  );
}
