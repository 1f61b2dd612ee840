import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { createDomainList, emptyListMessage, maxListBytes, maxListNames } from '#shared/checks/domain-lists.ts';
import { ApiError, call } from '../../platform/api.ts';
import { formatCount } from '../../platform/format.ts';
import { tryStorage } from '../../platform/storage.ts';
import { upload } from '../../platform/upload.ts';
import { useIsCurrentScreen } from '../../platform/use-single-flight.ts';
import { Button } from '../../ui/button.tsx';
import field from '../../ui/fields.module.css';
import { FilePicker } from '../../ui/file-picker.tsx';
import { useServed } from '../../ui/served.ts';
import styles from './list-form.module.css';
import { type CheckScreen, listQuery } from './screen.ts';
import { SignInLink } from './sign-in-link.tsx';

const fieldId = 'list-text';

/**
 * The form to paste or upload a list, with `children` below it. The text stays after an error, a reload and on the way
 * back from the results.
 */
export function ListForm({ screen, children }: { screen?: CheckScreen; children?: ReactNode }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const form = useListForm(screen);
  const { text, file, check } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.submitText()) area.current?.focus();
  };
  const problem = form.textProblem;
  return (
    <div className={styles.columns}>
      <form onSubmit={submit} className={styles.form} aria-label="Check a list" noValidate>
        <div>
          <label htmlFor={fieldId} className={styles.label}>
            Domains or URLs
          </label>
          <p className={styles.hint} id="list-hint">
            One per line, or separated by commas or spaces. If the seller quoted a price, add it after the domain.
          </p>
          <textarea
            ref={area}
            id={fieldId}
            className={`${field.field} ${styles.text}`}
            value={text}
            onChange={(event) => form.change(event.currentTarget.value)}
            placeholder={'example.com, $120\nhttps://example.org/blog\nexample.net\t80 EUR'}
            rows={10}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            data-mono
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? 'list-hint' : 'list-hint list-problem'}
          />
        </div>
        <div className={styles.footer}>
          <Button type="submit" size="md" loading={check.isPending && !file}>
            Check list
          </Button>
          {problem !== undefined && (
            <p id="list-problem" className={styles.problem} role="alert">
              {problem}
            </p>
          )}
        </div>
        <p className={styles.or} aria-hidden>
          or
        </p>
        <FilePicker
          files={file ? [file] : []}
          onChange={([chosen]) => form.submitFile(chosen)}
          label="Upload a list"
          hint={`CSV, TXT, Excel, OpenDocument, zip or gz, with or without a price column. Up to ${maxListBytes / 1024 ** 2} MB.`}
          accept=".csv,.tsv,.txt,.xlsx,.ods,.zip,.gz,text/csv,text/plain"
          error={form.fileProblem}
          disabled={check.isPending}
        />
        {file && check.isPending && (
          <p className={styles.hint} role="status" data-waiting>
            Checking {file.name}...
          </p>
        )}
        {form.isLimited && <SignInLink>Sign in to check more lists</SignInLink>}
        <noscript>
          <p className={styles.problem}>
            Checking a list needs JavaScript. Enable it for this site and reload the page.
          </p>
        </noscript>
      </form>
      {children && <div className={styles.below}>{children}</div>}
      <Explanation />
    </div>
  );
}

/** Sends a list, opens its results, and keeps the text and the error until then. */
function useListForm(screen: CheckScreen | undefined) {
  const stored = useServed('', readInitialText);
  const [typed, setTyped] = useState<string>();
  const text = typed ?? stored;
  const [file, setFile] = useState<File>();
  const [isMissing, setMissing] = useState(false);
  const queries = useQueryClient();
  const isCurrentScreen = useIsCurrentScreen();
  const check = useMutation({
    mutationFn: (list: string | File) =>
      typeof list === 'string' ? call(createDomainList, { body: { text: list } }) : upload(createDomainList, [list]),
    onSuccess: (list) => {
      queries.setQueryData(listQuery(list.id).queryKey, list);
      tryStorage(() => sessionStorage.removeItem(draftKey));
      if (isCurrentScreen()) void screen?.reset({ list: list.id }, { resetScroll: true });
    },
  });
  const problem = check.error ? describeProblem(check.error) : undefined;
  return {
    text,
    file,
    check,
    textProblem: isMissing ? emptyListMessage : file ? undefined : problem,
    fileProblem: file ? problem : undefined,
    isLimited: check.error instanceof ApiError && check.error.status === 429,
    change(next: string) {
      setTyped(next);
      lastText = next;
      tryStorage(() => sessionStorage.setItem(draftKey, next));
      setMissing(false);
    },
    /** @returns false if there is nothing to check */
    submitText(): boolean {
      setMissing(text.trim() === '');
      if (text.trim() === '') return false;
      setFile(undefined);
      if (!check.isPending) check.mutate(text);
      return true;
    },
    submitFile(chosen: File | undefined) {
      setFile(chosen);
      setMissing(false);
      if (chosen) check.mutate(chosen);
      else check.reset();
    },
  };
}

function describeProblem(error: Error): string {
  const message = error instanceof ApiError && error.code === 'search_limit' ? error.body.message : undefined;
  return typeof message === 'string' ? message : error.message;
}

const draftKey = 'list-draft';
/** The text of this page load, for the way back from the results. */
let lastText = '';

const readInitialText = () => lastText || (tryStorage(() => sessionStorage.getItem(draftKey)) ?? '');

/** What the results contain, and what happens with the list. */
function Explanation() {
  return (
    <div className={styles.explanation}>
      <Part title="What you get">
        <p>
          A verdict on each domain with its risk, confidence and evidence. Quoted prices are compared with known offers.
          See which sources list several of your domains. You can filter, sort and export the results.
        </p>
      </Part>
      <Part title="What you can check">
        <p>
          Up to {formatCount(maxListNames)} domains. URLs are reduced to their domains, repeated ones count once, and
          lines that start with # are ignored. In a table, the columns of domains and prices are found by their names or
          content.
        </p>
      </Part>
      <Part title="Who can see your list">
        <p>
          <b>Without an account:</b> the list is stored for 24 hours, so that you can reload the results. Anyone with
          the link to them can open it.
        </p>
        <p>
          <b>Signed in:</b> it is stored for 90 days, or until you delete it or your account. Only you can open it.
        </p>
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
