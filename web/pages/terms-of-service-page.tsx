import { Link } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { LegalPage, type LegalSection } from './legal-page.tsx';
import { publicHeads } from './pages.tsx';

export function TermsOfServicePage() {
  useTitle(publicHeads[paths.termsOfService].title);
  return (
    <LegalPage
      title="Terms of Service"
      lastUpdated="April 21, 2025"
      lead="The rules between you and the operator of this site, in fifteen short sections."
      sections={termsSections}
      numbered
    />
  );
}

const termsSections: readonly LegalSection[] = [
  {
    id: 'acceptance',
    title: 'Acceptance of these terms',
    body: (
      <p>
        By using this site, its database, its reports or its API you agree to these terms. If you use it for a company,
        you confirm that you may agree on its behalf. If you do not agree, please do not use it.
      </p>
    ),
  },
  {
    id: 'service',
    title: 'The service',
    body: (
      <p>
        Linksieve keeps a searchable blacklist of domains known or suspected to sell backlinks, compares the backlink
        exports that you upload with it, and answers questions about domains through an API. The database is updated
        monthly.
      </p>
    ),
  },
  {
    id: 'eligibility',
    title: 'Who may use it',
    body: (
      <p>
        You must be at least 16 years old. You need no account to read the public pages and to check a domain on the
        home page; the rest asks for one.
      </p>
    ),
  },
  {
    id: 'accounts',
    title: 'Your account',
    body: (
      <p>
        Give an email address that is yours, keep your password to yourself, and tell us if somebody else has used your
        account. What happens under your account is your responsibility until you have told us.
      </p>
    ),
  },
  {
    id: 'full-access',
    title: 'Full Access and its price',
    body: (
      <p>
        There is one plan, Full Access. Its price is 0. It includes unlimited searches, unlimited website profiles, 1000
        API requests per day, up to 5 API keys and bulk checks of up to 500 domains per request. Older plan names mean
        the same plan. Should a paid offer ever be made, you would have to choose it; nothing that is free today turns
        into a debt.
      </p>
    ),
  },
  {
    id: 'acceptable-use',
    title: 'Acceptable use',
    body: (
      <>
        <p>You may use the service for your own work and that of your clients. You may not:</p>
        <ul>
          <li>copy the database, or a substantial part of it, by scraping or by going around limits;</li>
          <li>disturb the service, probe it for holes without our consent, or use another person's account;</li>
          <li>use the list to harass, to extort, or to sell a place on it or off it;</li>
          <li>upload what you have no right to upload.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'uploads',
    title: 'Your uploads and reports',
    body: (
      <p>
        Your exports and reports stay yours. You allow us to process them for the report that you asked for, and for
        nothing else. Uploaded files are deleted when the analysis ends. The{' '}
        <Link to={paths.privacyPolicy}>privacy policy</Link> says what is stored.
      </p>
    ),
  },
  {
    id: 'submissions',
    title: 'Submitting sites',
    body: (
      <p>
        Submit only what you believe to be true and can show: evidence that somebody else can check. A submission may be
        approved, rejected or corrected. By sending it you allow us to use its text for the database without limit of
        time and without payment.
      </p>
    ),
  },
  {
    id: 'listings',
    title: 'What a listing means',
    body: (
      <p>
        A listing says that one or more sources name a domain as a seller of links. The risk level follows from the
        number of sources, unless a maintainer has set it. It is an opinion on where to look, not a statement of fact
        about the owner of a domain, and not a judgement of its content. Lists contain mistakes.
      </p>
    ),
  },
  {
    id: 'corrections',
    title: 'Corrections and removal',
    body: (
      <p>
        Whoever owns a listed domain, or knows better, can ask for a correction or a removal through the{' '}
        <Link to={paths.contact}>contact page</Link>. Requests are decided on the evidence. A correction costs nothing,
        and cannot be bought.
      </p>
    ),
  },
  {
    id: 'api',
    title: 'The API',
    body: (
      <p>
        Keep your keys secret, and delete a key that others may have seen. Stay within the limits; a refused request
        says when the next one is welcome. You may show answers to your own users. You may not offer the API as a
        service of your own. How it works stands in the <Link to={paths.apiDocs}>API documentation</Link>.
      </p>
    ),
  },
  {
    id: 'own-decisions',
    title: 'Your decisions about links',
    body: (
      <p>
        Removing or disavowing links can harm a website. Read every line of a disavow file before you send it to a
        search engine, and ask somebody experienced where you are not sure. What you do with a report is your decision
        and your risk.
      </p>
    ),
  },
  {
    id: 'warranty',
    title: 'No warranty, limited liability',
    body: (
      <p>
        The service is free and comes as it is. We do not promise that it is complete, correct or always available, nor
        any effect on rankings. As far as the law allows, we are not liable for indirect damage, lost profit or lost
        rankings. Liability that the law does not let anybody exclude, as for intent, stays untouched.
      </p>
    ),
  },
  {
    id: 'ending',
    title: 'Ending your use',
    body: (
      <p>
        You may delete your account at any time in <Link to={paths.account}>My Account</Link>. We may limit or close
        accounts that break these terms, and may end the service; we then leave you time to take your reports with you
        where we can.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes, law and contact',
    body: (
      <p>
        We may change these terms; the date at the top tells when, and using the service afterwards means that you
        agree. The law of the operator's country applies, with the rights that consumers have where they live. If one
        section does not hold, the others do. Questions go to the <Link to={paths.contact}>contact page</Link>.
      </p>
    ),
  },
];
