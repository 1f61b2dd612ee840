import { Link } from '@tanstack/react-router';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import { LegalPage, type LegalSection } from './legal-page.tsx';

export function TermsOfServicePage() {
  useTitle(publicPageTitles[paths.termsOfService]);
  return (
    <LegalPage
      title="Terms of Service"
      lastUpdated="April 21, 2025"
      lead="The terms between you and the operator of this site, in fifteen short sections."
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
        By using this site, its database, its reports or its API, you agree to these terms. If you use it for a company,
        you confirm that you may agree on its behalf. If you do not agree, do not use the site.
      </p>
    ),
  },
  {
    id: 'service',
    title: 'The service',
    body: (
      <p>
        Linksieve is a searchable blacklist of domains known or suspected to sell backlinks. It compares the backlink
        exports that you upload with the blacklist, and checks domains through an API. The database is updated monthly.
      </p>
    ),
  },
  {
    id: 'eligibility',
    title: 'Who may use it',
    body: (
      <p>
        You must be at least 16 years old. You can read the public pages and check a domain on the home page without an
        account. Everything else needs one.
      </p>
    ),
  },
  {
    id: 'accounts',
    title: 'Your account',
    body: (
      <p>
        Use your own email address, keep your password secret, and tell us if someone else has used your account. You
        are responsible for what happens under your account until you tell us.
      </p>
    ),
  },
  {
    id: 'full-access',
    title: 'Full Access and its price',
    body: (
      <p>
        There is one plan, Full Access, and it is free. It includes unlimited searches, unlimited website profiles, 1000
        API requests per day, up to 5 API keys and bulk checks of up to 500 domains per request. Older plan names refer
        to the same plan. You never pay for anything that you have not chosen to buy.
      </p>
    ),
  },
  {
    id: 'acceptable-use',
    title: 'Acceptable use',
    body: (
      <>
        <p>
          You may use the service for your own work and that of your clients. You may also export the database, in part
          or as a whole, and keep your copy for this work. You may not:
        </p>
        <ul>
          <li>republish, sell or sublicense the database, an export or a substantial part of either;</li>
          <li>get around the limits of the site or the API, for example with several accounts;</li>
          <li>disrupt the service, test its security without our consent, or use another user's account;</li>
          <li>use the database to harass or extort anyone, or offer to list or remove domains for money;</li>
          <li>upload files that you have no right to use.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'uploads',
    title: 'Your uploads and reports',
    body: (
      <p>
        Your exports and reports remain yours. You allow us to process them to create your reports, and for nothing
        else. We delete an uploaded file when its analysis ends. The{' '}
        <Link to={paths.privacyPolicy}>privacy policy</Link> lists what we store.
      </p>
    ),
  },
  {
    id: 'submissions',
    title: 'Submitting sites',
    body: (
      <p>
        Submit only what you believe to be true, with evidence that others can verify. We may approve, reject or correct
        a submission. By submitting a site, you allow us to use the text of your submission for the database, without
        payment and without a time limit.
      </p>
    ),
  },
  {
    id: 'listings',
    title: 'What a listing means',
    body: (
      <p>
        A listing means that one or more sources list a domain as a site that sells links or places harmful ones. The
        risk level depends on the number of sources, unless an admin has set it. A listing is not proof that a
        particular link was paid for, and not a statement about the owner of the domain. Listings can be wrong. The{' '}
        <Link to={paths.methodology}>methodology</Link> explains how they are made.
      </p>
    ),
  },
  {
    id: 'corrections',
    title: 'Corrections and removal',
    body: (
      <p>
        Anyone can ask us to correct or remove a listing through the <Link to={paths.contact}>contact page</Link>. We
        decide on the evidence. Corrections are free, and nobody can pay for one.
      </p>
    ),
  },
  {
    id: 'api',
    title: 'The API',
    body: (
      <p>
        Keep your API keys secret, and delete a key that others may have seen. You may show results to your own users.
        You may not resell access to the API. To copy the database for your own work, use the export of the blacklist
        instead of the API. The limits are in the <Link to={paths.apiDocs}>API documentation</Link>.
      </p>
    ),
  },
  {
    id: 'own-decisions',
    title: 'Your decisions about links',
    body: (
      <p>
        Removing or disavowing links can harm a website. Check every line of a disavow file before you upload it to a
        search engine, and consult an expert if you are not sure. You decide what to do with a report, at your own risk.
      </p>
    ),
  },
  {
    id: 'warranty',
    title: 'No warranty, limited liability',
    body: (
      <p>
        The service is free and provided as is. We do not promise that it is complete, correct or always available, or
        that it affects rankings. To the extent the law allows, we are not liable for indirect damage, lost profits or
        lost rankings. This does not limit liability that cannot be excluded by law, such as for intent.
      </p>
    ),
  },
  {
    id: 'ending',
    title: 'Ending your use',
    body: (
      <p>
        You can delete your account at any time in <Link to={paths.account}>My Account</Link>. We may restrict or close
        accounts that break these terms, and we may shut down the service. If we do, we will try to give you time to
        export your reports.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes, law and contact',
    body: (
      <p>
        We may change these terms. The version on this page applies, and by continuing to use the service you accept it.
        The law of the operator's country applies, without limiting the rights of consumers where they live. If one
        section is invalid, the others still apply. Send questions through the{' '}
        <Link to={paths.contact}>contact page</Link>.
      </p>
    ),
  },
];
