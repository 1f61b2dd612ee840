import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { checkDomainWithKey } from '#shared/checks/key-checks.ts';
import { exampleDomains } from '#shared/checks/openapi-examples.ts';
import { buildUrl } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import field from '../../ui/fields.module.css';
import { apiDocument } from './api-document.ts';
import styles from './try-it.module.css';

/** Keys and domains are not words: browsers must not complete, capitalize or spell-check them. */
const inputProps = { className: field.field, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
const ids = { key: 'try-key', domain: 'try-domain', problem: 'try-problem' };

/** A form that makes a real check with the visitor's key and shows the response with its headers. Nothing is stored. */
export function TryIt() {
  const [key, setKey] = useState('');
  const [domain, setDomain] = useState<string>(exampleDomains.notListed);
  const [keyProblem, setKeyProblem] = useState<string>();
  const keyField = useRef<HTMLInputElement>(null);
  const { mutate, data, error, isPending } = useMutation({ mutationFn: sendCheck });
  const problem = keyProblem ?? error?.message;

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const sentence = findKeyProblem(key.trim());
    setKeyProblem(sentence);
    if (sentence) return keyField.current?.focus();
    if (!isPending) mutate({ key: key.trim(), domain });
  };

  return (
    <>
      <p>
        Make a real check with your key. It counts as one request. The key is sent only to this server and is not
        stored.
      </p>
      {/* Without the app, the browser does not send the form: the key would be in the URL. */}
      <form onSubmit={handleSubmit} method="dialog" className={styles.form} noValidate>
        <label htmlFor={ids.key}>API key</label>
        <input
          ref={keyField}
          id={ids.key}
          {...inputProps}
          value={key}
          onChange={(event) => setKey(event.target.value)}
          placeholder="lsv_…"
          aria-invalid={keyProblem ? true : undefined}
          aria-describedby={problem ? ids.problem : undefined}
        />
        <label htmlFor={ids.domain}>Domain</label>
        <input
          id={ids.domain}
          {...inputProps}
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          inputMode="url"
        />
        <Button type="submit" loading={isPending}>
          Send request
        </Button>
        <noscript>
          <p className={styles.problem}>This form needs JavaScript. You can copy an example into a terminal instead.</p>
        </noscript>
      </form>
      <div aria-live="polite">
        {problem && (
          <p id={ids.problem} className={styles.problem}>
            {problem}
          </p>
        )}
        {!problem && data && (
          <div className={styles.response}>
            <p>
              Response: <b>{data.status}</b>
            </p>
            <CodeBlock code={data.headers} label="the response headers" wrap />
            <CodeBlock code={data.body} label="the response body" wrap />
          </div>
        )}
      </div>
    </>
  );
}

/** Returns a sentence if the text cannot be sent as a key. */
function findKeyProblem(key: string): string | undefined {
  if (key === '') return 'Paste one of your API keys.';
  // Browsers refuse other characters in a header.
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : 'This is not an API key. Copy it from your account and paste it here.';
}

async function sendCheck({ key, domain }: { key: string; domain: string }) {
  const response = await fetch(buildUrl(checkDomainWithKey, {}, { domain }), {
    headers: { 'X-API-Key': key },
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => {
    throw new Error('The server could not be reached. Check your connection and try again.');
  });
  const text = await response.text();
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    headers: formatHeaders(response),
    body: formatJson(text),
  };
}

/** Returns the headers that the document describes, and `Content-Type`, one per line. */
function formatHeaders(response: Response): string {
  return [...Object.keys(apiDocument.components.headers), 'Content-Type']
    .filter((name) => response.headers.has(name))
    .map((name) => `${name}: ${response.headers.get(name)}`)
    .join('\n');
}

/** Returns JSON with line breaks, and any other text unchanged. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
