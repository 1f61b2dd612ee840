import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readOpenApi } from '#shared/key-checks.ts';
import { keyPlaceholder } from '#shared/openapi-examples.ts';
import { useTitle } from '../lib/use-title.ts';
import { publicPageMeta } from '../pages/pages.tsx';
import { paths } from '../paths.ts';
import { ButtonAnchor, ButtonLink } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { DocPage } from '../ui/doc-page.tsx';
import { NoBreakHyphens } from '../ui/text.tsx';
import classes from './api-docs-page.module.css';
import { apiCalls, apiDocument, apiOrigin, examplesOf, guide, responsesOf } from './api-document.ts';
import { CodeSamples, LanguageChoice } from './code-samples.tsx';
import { Markdown } from './markdown.tsx';
import { Call, Errors, FieldsTable } from './reference.tsx';
import { TryIt } from './try-it.tsx';

/** How to query the blacklist from your own programs, drawn from the OpenAPI document. */
export function ApiDocsPage() {
  const { title } = publicPageMeta[paths.apiDocs];
  useTitle(title);
  return (
    <LanguageChoice>
      <DocPage
        head={
          <>
            <h1>
              <NoBreakHyphens text={title} />
            </h1>
            <p className={classes.lead}>
              {apiDocument.info.summary} {guide.lead}
            </p>
            <div className={classes.buttons}>
              <ButtonLink to={paths.account} search={{ tab: 'api-keys' }} size="md">
                Get an API key
              </ButtonLink>
              <ButtonAnchor href={readOpenApi.path} download="linksieve-openapi.json" size="md" variant="default">
                OpenAPI document
              </ButtonAnchor>
            </div>
            <p className={classes.base}>
              Base URL: <code>{apiOrigin}</code>
            </p>
          </>
        }
        parts={parts}
      >
        {parts.map(({ id, title, content }) => (
          <section key={id} id={id} className={classes.part} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            {content}
          </section>
        ))}
      </DocPage>
    </LanguageChoice>
  );
}

/** What a chapter of the document's guide has below it on the page. */
const tables: Record<string, ReactNode> = { limits: <LimitHeaders />, errors: <Errors /> };

const chapterParts = guide.chapters.map(({ id, title, text }) => {
  const content = (
    <>
      <Markdown text={text} />
      {tables[id]}
    </>
  );
  return { id, title, content };
});

const errorsAt = chapterParts.findIndex(({ id }) => id === 'errors');

/** Each with its anchor. */
const parts = [
  { id: 'get-a-key', title: 'Get a key', content: <GetKey /> },
  { id: 'quick-start', title: 'Quick start', content: <QuickStart /> },
  { id: 'try-it', title: 'Try it', content: <TryIt /> },
  ...chapterParts.slice(0, errorsAt),
  ...apiCalls().map((call) => {
    const { operationId, summary } = call.operation;
    return { id: operationId, title: summary, content: <Call call={call} /> };
  }),
  ...chapterParts.slice(errorsAt),
  { id: 'openapi', title: 'OpenAPI', content: <OpenApi /> },
];

function GetKey() {
  return (
    <ol>
      <li>
        Open{' '}
        <Link to={paths.account} search={{ tab: 'api-keys' }}>
          API Keys in your account
        </Link>
        . The account and the API are free.
      </li>
      <li>Press 'Create API Key', then 'Copy' next to the new key. You can show and copy it again at any time.</li>
      <li>
        Replace <code>{keyPlaceholder}</code> in the examples with your key.
      </li>
    </ol>
  );
}

/** The first call of the document. */
function QuickStart() {
  const [call] = apiCalls();
  if (!call) return null;
  const [example] = responsesOf(call.operation).flatMap(([, response]) => examplesOf(response));
  return (
    <>
      <CodeSamples samples={call.operation['x-codeSamples']} title="Quick start" />
      <p>The response if the domain is listed:</p>
      <CodeBlock code={JSON.stringify(example?.value, null, 2)} label="the response" wrap />
    </>
  );
}

function LimitHeaders() {
  const fields = Object.entries(apiDocument.components.headers)
    .filter(([name]) => name !== 'ETag')
    .map(([name, { schema, description }]) => ({ name, schema, description, required: true }));
  return (
    <>
      <h3>Headers</h3>
      <FieldsTable fields={fields} label="Headers about limits" />
    </>
  );
}

function OpenApi() {
  return (
    <>
      <p>
        <a href={readOpenApi.path} download="linksieve-openapi.json">
          Download the OpenAPI {apiDocument.openapi} document
        </a>{' '}
        to generate a client, or give your tool its address:
      </p>
      <CodeBlock code={`${apiOrigin}${readOpenApi.path}`} label="the address of the OpenAPI document" wrap />
      <p>
        This page is made from the same document. Is something missing or wrong? <Link to={paths.contact}>Tell us</Link>
        .
      </p>
    </>
  );
}
