import { readOpenApi } from '#shared/api-docs.ts';
import { useTitle } from '../lib/use-title.ts';
import { publicHeads } from '../pages/pages.tsx';
import { paths } from '../paths.ts';
import { ButtonAnchor } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { DocPage } from '../ui/doc-page.tsx';
import { NoBreakHyphens } from '../ui/no-break-hyphens.tsx';
import classes from './api-docs-page.module.css';
import { answersOf, apiCalls, apiDocument, apiOrigin } from './api-document.ts';
import { CallPart } from './call-part.tsx';
import { CodeSamples } from './code-samples.tsx';
import { Authentication, Browsers, Caching, Domains, Errors, GetKey, Meaning, OpenApi, Versions } from './guide.tsx';
import { Limits } from './limits.tsx';
import { Part } from './part.tsx';
import { TryIt } from './try-it.tsx';
import { LanguageChoice, useLanguageChoice } from './use-language.ts';

/** How to ask the blacklist from one's own programs, drawn from the OpenAPI document. */
export function ApiDocsPage() {
  const { title } = publicHeads[paths.apiDocs];
  useTitle(title);
  const calls = apiCalls();
  const first = calls[0]?.operation;
  return (
    <LanguageChoice value={useLanguageChoice(first?.['x-codeSamples'][0]?.label ?? '')}>
      <DocPage
        head={
          <>
            <h1>
              <NoBreakHyphens text={title} />
            </h1>
            <p className={classes.lead}>
              {apiDocument.info.summary} One call checks a domain while somebody enters it, another checks up to 500 of
              a crawl, an order list or a spreadsheet.
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
              All calls go to <code>{apiOrigin}</code>
            </p>
          </>
        }
        parts={[
          ...before,
          ...calls.map(({ operation: { operationId, summary } }) => ({ id: operationId, title: summary })),
          ...behind,
        ]}
      >
        <GetKey />
        {first && (
          <Part id="quick-start" title="Quick start">
            <CodeSamples samples={first['x-codeSamples']} title="Quick start" />
            <p>What comes back, where that domain is listed:</p>
            <CodeBlock code={exampleAnswer(first)} label="the answer" wrap />
          </Part>
        )}
        <TryIt />
        <Authentication />
        <Limits />
        <Domains />
        <Meaning />
        {calls.map((call) => (
          <CallPart key={call.operation.operationId} call={call} />
        ))}
        <Errors />
        <Browsers />
        <Caching />
        <Versions />
        <OpenApi />
      </DocPage>
    </LanguageChoice>
  );
}

const before = [
  { id: 'get-a-key', title: 'Get a key' },
  { id: 'quick-start', title: 'Quick start' },
  { id: 'try-it', title: 'Try it' },
  { id: 'authentication', title: 'Authentication' },
  { id: 'limits', title: 'Limits' },
  { id: 'domains', title: 'What counts as a domain' },
  { id: 'meaning', title: 'What an answer means' },
];

const behind = [
  { id: 'errors', title: 'Errors' },
  { id: 'browsers', title: 'In a browser' },
  { id: 'caching', title: 'Caching' },
  { id: 'versions', title: 'Versions' },
  { id: 'openapi', title: 'OpenAPI' },
];

function exampleAnswer(operation: Parameters<typeof answersOf>[0]): string {
  const [, answer] = answersOf(operation)[0] ?? [];
  const [example] = Object.values(answer?.content?.['application/json'].examples ?? {});
  return JSON.stringify(example?.value, null, 2);
}
