import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { checkDomain } from '#shared/checks.ts';
import { ApiError, call } from '../lib/api.ts';
import { useSearchKey } from '../lib/use-search-key.ts';
import { Button } from '../ui/button.tsx';
import { CheckAnswer } from './check-answer.tsx';
import classes from './domain-check.module.css';
import { RiskScale } from './risk-scale.tsx';

const fieldId = 'check-domain';

/** Anybody checks one domain here, signed in or not. What was typed stays, whatever the answer is. */
export function DomainCheck() {
  const [domain, setDomain] = useState(typedBefore);
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useSearchKey(field);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (asked: string) => call(checkDomain, { query: { domain: asked } }),
    onError: () => field.current?.focus(),
  });
  const problem = missing ? 'Please enter a domain' : error && sentenceOf(error);
  const answer = problem ? undefined : data;

  const check = (event: FormEvent) => {
    event.preventDefault();
    const asked = domain.trim();
    setMissing(asked === '');
    if (asked === '') return field.current?.focus();
    if (!isPending) mutate(asked);
  };

  return (
    <section className={classes.card} aria-labelledby="check">
      <h2 id="check">Is a domain on the blacklist?</h2>
      <form onSubmit={check} className={classes.form} noValidate>
        <label htmlFor={fieldId}>Domain, or the address of a page</label>
        <div className={classes.row}>
          <input
            ref={field}
            id={fieldId}
            className={classes.input}
            value={domain}
            onChange={(event) => setDomain(event.target.value)}
            placeholder="example.com"
            inputMode="url"
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'check-problem' : undefined}
          />
          {/* Until the app is there a browser would send the form by itself, to nobody. */}
          <Button type="submit" size="md" loading={isPending} disabled={import.meta.env.SSR}>
            Check
          </Button>
        </div>
        <noscript>
          <p className={classes.problem}>
            Checking a domain needs JavaScript. Please switch it on for this site and load the page again.
          </p>
        </noscript>
      </form>
      <div aria-live="polite">
        {problem && (
          <p id="check-problem" className={classes.problem}>
            {problem}
          </p>
        )}
        {answer && (
          <div className={classes.answer}>
            <CheckAnswer check={answer} />
          </div>
        )}
      </div>
      {!answer && <RiskScale />}
    </section>
  );
}

/** What somebody has typed into the page as it was served, which the app is about to replace. */
function typedBefore(): string {
  if (import.meta.env.SSR) return '';
  const served = document.getElementById(fieldId);
  return served instanceof HTMLInputElement ? served.value : '';
}

function sentenceOf(error: Error): string {
  return (error instanceof ApiError && error.fields.domain) || error.message;
}
