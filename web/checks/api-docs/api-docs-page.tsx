import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getOpenApiDocument } from '#shared/checks/key-checks.ts';
import { apiKeyPlaceholder } from '#shared/checks/openapi-examples.ts';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import { ButtonAnchor, ButtonLink } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import frame from '../../ui/public-page.module.css';
import { NoBreakHyphens } from '../../ui/text.tsx';
import styles from './api-docs-page.module.css';
import { apiCalls, apiDocument, apiOrigin, type Chapter, guide } from './api-document.ts';
import { LanguageChoice } from './code-samples.tsx';
import { Columns } from './columns.tsx';
import { isCode, Markdown, splitBlocks } from './markdown.tsx';
import { CallExamples, CallText, Method, Objects } from './reference.tsx';
import { TryIt } from './try-it.tsx';

/** The reference of the public API, generated from the OpenAPI document. */
export function ApiDocsPage() {
  const title = publicPageTitles[paths.apiDocs];
  useTitle(title);
  return (
    <LanguageChoice>
      <article className={styles.page}>
        <header className={`${frame.head} ${styles.head}`}>
          <h1>
            <NoBreakHyphens text={title} />
          </h1>
          <p className={frame.lead}>{apiDocument.info.summary}</p>
          <div className={styles.buttons}>
            <ButtonLink to={paths.account} search={{ tab: 'api-keys' }} size="md">
              Get an API key
            </ButtonLink>
            <ButtonAnchor href={getOpenApiDocument.path} download={openApiFile} size="md" variant="default">
              OpenAPI document
            </ButtonAnchor>
          </div>
        </header>
        <nav className={styles.contents} aria-labelledby="contents">
          <h2 id="contents">On this page</h2>
          {groups.map(({ name, sections }) => (
            <div key={name}>
              <p id={`contents-${name}`}>{name}</p>
              <ul aria-labelledby={`contents-${name}`}>
                {sections.map(({ id, title }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{title}</a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className={styles.text}>
          {groups.flatMap(({ sections }) =>
            sections.map(({ id, title, content, examples, below }) => (
              <section key={id} id={id} className={styles.section} aria-labelledby={`${id}-title`}>
                <Columns examples={examples}>
                  <h2 id={`${id}-title`}>{title}</h2>
                  {content}
                </Columns>
                {below}
              </section>
            )),
          )}
        </div>
      </article>
    </LanguageChoice>
  );
}

const openApiFile = 'linksieve-openapi.json';

interface Section {
  /** Its anchor. */
  id: string;
  title: string;
  content: ReactNode;
  /** Next to the content on a wide screen. */
  examples?: ReactNode;
  /** After both, in the full width. */
  below?: ReactNode;
}

/** A section with a chapter of the guide. The code of the chapter becomes its examples. */
function toSection({ id, title, text }: Chapter, before?: ReactNode): Section {
  const blocks = splitBlocks(text);
  const code = blocks.filter(isCode);
  return {
    id,
    title,
    content: (
      <>
        {before}
        <Markdown title={title} text={blocks.filter((block) => !isCode(block)).join('\n\n')} />
      </>
    ),
    ...(code.length > 0 && { examples: <Markdown title={title} text={code.join('\n\n')} /> }),
  };
}

const [authentication, rateLimits, errors, ...otherChapters] = guide.chapters;

const objects: Section = {
  id: 'objects',
  title: 'Objects',
  content: <p>The JSON objects in responses. New fields may be added, so ignore those you do not know.</p>,
  below: <Objects />,
};

/** The sections in the order of reading. */
const groups: readonly { name: string; sections: readonly Section[] }[] = [
  {
    name: 'Get started',
    sections: [
      {
        id: 'introduction',
        title: 'Introduction',
        content: <Markdown title="Introduction" text={guide.introduction} />,
        examples: <BaseUrlAndEndpoints />,
      },
      ...(authentication ? [toSection(authentication, <GetKey />)] : []),
      { id: 'try-it', title: 'Try it', content: <TryIt /> },
    ],
  },
  {
    name: 'Endpoints',
    sections: apiCalls.map((call) => ({
      id: call.operation.operationId,
      title: call.operation.summary,
      content: <CallText call={call} />,
      examples: <CallExamples operation={call.operation} />,
    })),
  },
  {
    name: 'Reference',
    sections: [...[rateLimits, errors].flatMap((chapter) => (chapter ? [toSection(chapter)] : [])), objects],
  },
  {
    name: 'Guides',
    sections: [
      ...otherChapters.map((chapter) => toSection(chapter)),
      {
        id: 'openapi',
        title: 'OpenAPI document',
        content: <OpenApi />,
        examples: (
          <>
            <h3>URL</h3>
            <CodeBlock code={`${apiOrigin}${getOpenApiDocument.path}`} label="the URL of the OpenAPI document" wrap />
          </>
        ),
      },
    ],
  },
];

function BaseUrlAndEndpoints() {
  return (
    <>
      <h3>Base URL</h3>
      <CodeBlock code={apiOrigin} label="the base URL" wrap />
      <h3>Endpoints</h3>
      <ul className={styles.endpoints}>
        {apiCalls.map(({ method, path, operation }) => (
          <li key={operation.operationId}>
            <a href={`#${operation.operationId}`}>
              <Method name={method} /> <code>{path}</code>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

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
      <li>
        Click <b>Create API Key</b>, then <b>Copy</b>. You can copy the key again at any time.
      </li>
      <li>
        Replace <code>{apiKeyPlaceholder}</code> in the examples with your key.
      </li>
    </ol>
  );
}

function OpenApi() {
  return (
    <>
      <p>
        <a href={getOpenApiDocument.path} download={openApiFile}>
          Download the OpenAPI {apiDocument.openapi} document
        </a>{' '}
        to generate a client, or import its URL into your API tool. This page is generated from the same document.
      </p>
      <p>
        Is something missing or wrong? <Link to={paths.contact}>Tell us</Link>.
      </p>
    </>
  );
}
