import { Link } from '@tanstack/react-router';
import { readOpenApi } from '#shared/api-docs.ts';
import { apiKeyLimits } from '#shared/api-keys.ts';
import { keyPlaceholder } from '#shared/openapi-samples.ts';
import { paths } from '../paths.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import classes from './api-docs-page.module.css';
import { apiDocument, apiOrigin, errorShape } from './api-document.ts';
import { Shape } from './call-part.tsx';
import { ErrorsTable } from './errors-table.tsx';
import { Part } from './part.tsx';

/** What comes before the calls. */
export function GetKey() {
  return (
    <Part id="get-a-key" title="Get a key">
      <ol>
        <li>
          Open <KeysLink>API Keys in your account</KeysLink>. An account is free, and so is the API.
        </li>
        <li>Press 'Create API Key', and 'Copy' beside the new key. You can show and copy it again at any time.</li>
        <li>
          Put it in the place of <code>{keyPlaceholder}</code> in the examples.
        </li>
      </ol>
      <p>
        You may have {apiKeyLimits.most} keys: one for each program, so that you can delete one without stopping the
        others.
      </p>
    </Part>
  );
}

export function Authentication() {
  return (
    <Part id="authentication" title="Authentication">
      <p>
        Send your key with each request, in the header <code>X-API-Key</code>. Cookies and sessions do not count here. A
        key that is missing, unknown or deleted is answered with 401.
      </p>
      <CodeBlock code={`X-API-Key: ${keyPlaceholder}`} label="the header with the key" wrap />
      <p>
        Whoever has your key asks in your name. Keep it in a secret store or an environment variable, never in a public
        repository, and delete it in your account when it may have been seen: it stops working at once.
      </p>
    </Part>
  );
}

export function Domains() {
  return (
    <Part id="domains" title="What counts as a domain">
      <p>
        A domain or the address of a page, in any letters: <code>https://user@www.Shop.example:8443/offer</code> and{' '}
        <code>shop.example.</code> are both looked up as <code>shop.example</code>. Scheme, user, port, path,{' '}
        <code>www.</code>, a dot at the end and blanks around it are left out.
      </p>
      <p>
        Refused are a single label (<code>localhost</code>), an IP address (<code>192.0.2.1</code>), an email address (
        <code>name@shop.example</code>), a wildcard (<code>*.shop.example</code>) and a blank inside (
        <code>shop .example</code>). In a bulk they cost as much as domains: leave such lines out yourself.
      </p>
    </Part>
  );
}

export function Meaning() {
  return (
    <Part id="meaning" title="What an answer means">
      <p>
        <code>listed: true</code> says that one or more sources name the domain, or one above it, as a seller of links.
        It does not prove that a certain link was paid for: look at the page before you act on it.
      </p>
      <p>
        <code>matchedDomain</code> is the name on the list. A listed domain covers all its subdomains: where{' '}
        <code>example.com</code> is listed, <code>blog.example.com</code> is answered with <code>listed: true</code> and{' '}
        <code>matchedDomain: "example.com"</code>. A listed subdomain covers nothing beside or above it.
      </p>
      <p>
        <code>riskLevel</code> comes from the number of sources: one is low, two or three medium, four high, five or
        more very high.
      </p>
      <p>
        <code>listed: false</code> says that none of our sources names the domain. It is no proof of quality. Public
        suffixes (<code>co.uk</code>) and the roots of shared hosts (<code>wordpress.com</code>) belong to many people:
        they are never listed as a whole, only names below them are.
      </p>
    </Part>
  );
}

/** What comes behind the calls. */
export function Errors() {
  return (
    <Part id="errors" title="Errors">
      <p>
        Every answer from 400 on has the same body. Show <code>error</code> to people, let your program decide by the
        status and <code>code</code>, and write <code>requestId</code> into your log.
      </p>
      <ErrorsTable />
      <Shape name={errorShape} />
    </Part>
  );
}

export function Browsers() {
  return (
    <Part id="browsers" title="In a browser">
      <p>
        The API answers pages of any site (CORS), and they may read its headers: a tool for your own team can call it
        without a server in between.
      </p>
      <p className={classes.warning}>
        <b>Never put a key into a public page.</b> Everybody who opens the page can read the key and use up your day.
        Let your own server ask, or let each person enter their own key.
      </p>
    </Part>
  );
}

export function Caching() {
  const etag = String(apiDocument.components.headers.ETag?.example);
  return (
    <Part id="caching" title="Caching">
      <p>
        The answer to a check of one domain has an <code>ETag</code> over everything but <code>checkedAt</code>. Keep
        both, and send the tag along when you ask again: as long as nothing has changed, you get 304 without a body.
      </p>
      <CodeBlock code={`If-None-Match: ${etag}`} label="the header with the tag" wrap />
      <p>
        It says <code>Cache-Control: private, no-cache</code> and <code>Vary: X-API-Key</code>, with 200 and 304: a
        cache of your own may keep it and asks before it uses it; nobody else's keeps it. Bulk checks, the usage and
        errors are <code>no-store</code>.
      </p>
    </Part>
  );
}

export function Versions() {
  return (
    <Part id="versions" title="Versions">
      <p>
        Everything under <code>/api/v1</code> stays as it is described here. Answers may get more fields, so ignore
        those that you do not know; no field is taken away or changes its meaning. What can not be done in this way
        comes as a <code>/api/v2</code> beside it.
      </p>
      <p>
        Other addresses under <code>/api</code> are for the pages of this site and change with them: please do not build
        on those.
      </p>
    </Part>
  );
}

export function OpenApi() {
  return (
    <Part id="openapi" title="OpenAPI">
      <p>
        <a href={readOpenApi.path} download="linksieve-openapi.json">
          Download the OpenAPI {apiDocument.openapi} document
        </a>{' '}
        to generate a client, or let your tool read it from its address:
      </p>
      <CodeBlock code={`${apiOrigin}${readOpenApi.path}`} label="the address of the OpenAPI document" wrap />
      <p>
        This page is made from the same document. Something missing or wrong? <Link to={paths.contact}>Tell us</Link>.
      </p>
    </Part>
  );
}

export function KeysLink({ children }: { children: string }) {
  return (
    <Link to={paths.account} search={{ tab: 'api-keys' }}>
      {children}
    </Link>
  );
}
