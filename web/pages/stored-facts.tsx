import { TextTable } from '../ui/text-table.tsx';
import classes from './stored-facts.module.css';

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
      'If you pay for one: which, since when and until when, and the numbers that the payment provider has for you, the plan and its checkout. No card. Of each word of the provider its number, kind and time.',
    until:
      'The plan until it ends or you delete your account; its checkout as long as it is paid for, and for 400 days, and longer only without your name; the words of the provider 90 days.',
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

export function StoredFacts() {
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
