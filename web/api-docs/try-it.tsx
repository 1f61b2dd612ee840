import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { checkWithKey } from '#shared/key-checks.ts';
import { exampleNames } from '#shared/openapi-examples.ts';
import { buildUrl } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import field from '../ui/fields.module.css';
import { apiDocument } from './api-document.ts';
import classes from './try-it.module.css';

/** Keys and domains are not prose. */
const plain = { className: field.field, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
const ids = { key: 'try-key', domain: 'try-domain', problem: 'try-problem' };

/** Makes one real check with the visitor's key and shows the response as a program gets it. Nothing is stored. */
export function TryIt() {
  const [key, setKey] = useState(() => typedBefore(ids.key) || '');
  const [domain, setDomain] = useState(() => typedBefore(ids.domain) || exampleNames.unknown);
  const [missing, setMissing] = useState<string>();
  const keyField = useRef<HTMLInputElement>(null);
  const { mutate, data, error, isPending } = useMutation({ mutationFn: ask });
  const problem = missing ?? error?.message;

  const send = (event: FormEvent) => {
    event.preventDefault();
    const sentence = whyNoKey(key.trim());
    setMissing(sentence);
    if (sentence) return keyField.current?.focus();
    if (!isPending) mutate({ key: key.trim(), domain });
  };

  return (
    <>
      <p>Your key is sent only to this server, and is forgotten when you leave the page. A check costs one request.</p>
      <form onSubmit={send} className={classes.form} noValidate>
        <label htmlFor={ids.key}>API key</label>
        <input
          ref={keyField}
          id={ids.key}
          {...plain}
          value={key}
          onChange={(event) => setKey(event.target.value)}
          placeholder="lsv_…"
          aria-invalid={missing ? true : undefined}
          aria-describedby={problem ? ids.problem : undefined}
        />
        <label htmlFor={ids.domain}>Domain</label>
        <input
          id={ids.domain}
          {...plain}
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          inputMode="url"
        />
        {/* Before the app runs, a browser would submit the form itself, with the key in the address. */}
        <Button type="submit" loading={isPending} disabled={import.meta.env.SSR}>
          Send request
        </Button>
        <noscript>
          <p className={classes.problem}>
            Trying the API needs JavaScript. The examples work without it: copy one into a terminal.
          </p>
        </noscript>
      </form>
      <div aria-live="polite">
        {problem && (
          <p id={ids.problem} className={classes.problem}>
            {problem}
          </p>
        )}
        {!problem && data && (
          <div className={classes.answer}>
            <p>
              Response: <b>{data.status}</b>
            </p>
            <CodeBlock code={data.headers} label="the headers of the response" wrap />
            <CodeBlock code={data.body} label="the body of the response" wrap />
          </div>
        )}
      </div>
    </>
  );
}

/** What was typed into the served page before the app replaced it. */
function typedBefore(id: string): string | undefined {
  if (import.meta.env.SSR) return undefined;
  const served = document.getElementById(id);
  return served instanceof HTMLInputElement ? served.value : undefined;
}

function whyNoKey(key: string): string | undefined {
  if (key === '') return 'Please paste one of your API keys.';
  // A browser refuses other characters in a header.
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : 'This is not an API key. Please copy it from your account and paste it here.';
}

async function ask({ key, domain }: { key: string; domain: string }) {
  const response = await fetch(buildUrl(checkWithKey, {}, { domain }), {
    headers: { 'X-API-Key': key },
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => {
    throw new Error('The server could not be reached. Please check your connection.');
  });
  const text = await response.text();
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    headers: headersOf(response),
    body: formatted(text),
  };
}

/** The headers that the document describes, and the type of the body. */
function headersOf(response: Response): string {
  return [...Object.keys(apiDocument.components.headers), 'Content-Type']
    .filter((name) => response.headers.has(name))
    .map((name) => `${name}: ${response.headers.get(name)}`)
    .join('\n');
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
