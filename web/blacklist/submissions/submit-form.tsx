import { NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { createSubmission, type Submission, SubmissionInput, submissionLimits } from '#shared/blacklist/submissions.ts';
import type { BodyInputOf } from '#shared/platform/endpoint.ts';
import { paths } from '../../paths.ts';
import { ApiError, call } from '../../platform/api.ts';
import { tryStorage } from '../../platform/storage.ts';
import { applyDelayMs } from '../../platform/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { useIsServed } from '../../ui/served.ts';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { RiskBadge } from '../domains/domains.tsx';
import { checkQuery, refreshSubmissions } from './queries.ts';
import styles from './submit-form.module.css';
import { toHost } from './urls.ts';
import { Counter, countedHint } from './widgets.tsx';

const validate = schemaResolver(SubmissionInput, { sync: true });
// The optional fields say so in their hints, so the required ones need no asterisk.
const required = { required: true, withAsterisk: false };
const rating = { min: 0, max: 100, step: 1, clampBehavior: 'none', allowDecimal: false } as const;

/** The form to submit a site. The draft is saved until it is submitted, and survives a reload. */
export function SubmitForm({ userId, onSent }: { userId: number; onSent: (submission: Submission) => void }) {
  const queries = useQueryClient();
  const isServed = useIsServed();
  const form = useForm<FormValues>({
    initialValues: isServed ? emptyValues : readDraft(userId),
    validate: (values) => validate(toSubmissionInput(values)),
  });
  const { values } = form;
  // The server does not have the draft. What the user has typed since is not replaced.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before the empty form is saved
  useEffect(() => {
    if (isServed) form.setValues((typed) => FormValues.parse({ ...readDraft(userId), ...removeEmpty(typed) }));
  }, []);
  useEffect(() => saveDraft(userId, values), [userId, values]);

  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? 'domain')?.focus();
  const showErrors = (fields: Record<string, string>) => {
    form.setErrors(fields);
    focusFirst(fields);
  };
  const send = useMutation({
    mutationFn: (body: BodyInputOf<typeof createSubmission>) => call(createSubmission, { body }),
    onSuccess: (submission) => {
      toastSuccess('Submission received!', 'Thank you for helping improve our database.');
      saveDraft(userId, emptyValues);
      onSent(submission);
      void refreshSubmissions(queries);
    },
    onError: (error) => {
      const message = error instanceof ApiError ? error.message : '';
      toastError('Submission failed', message || 'Please try again later.');
      if (!(error instanceof ApiError)) return;
      if (error.status === 400) showErrors(error.fields);
      if (error.status === 409) showErrors({ domain: error.message });
    },
  });
  const submit = form.onSubmit((submitted) => {
    if (!send.isPending) send.mutate(toSubmissionInput(submitted));
  }, focusFirst);

  const field = (name: keyof FormValues) => {
    const props = form.getInputProps(name);
    return {
      ...props,
      onBlur: () => {
        props.onBlur?.();
        if (name === 'domain') form.setFieldValue('domain', toHost(values.domain));
        if (values[name] !== '') void form.validateField(name);
      },
    };
  };
  const short = (name: 'domain' | 'source' | 'cost' | 'niche') => ({
    ...field(name),
    ...required,
    autoComplete: 'off',
    rightSection: <Counter text={values[name]} max={submissionLimits[name]} />,
    rightSectionWidth: 62,
    rightSectionProps: { className: styles.room },
    rightSectionPointerEvents: 'none' as const,
  });
  const long = (name: 'evidence' | 'additionalNotes', hint: string) => ({
    ...field(name),
    ...countedHint(hint, values[name], submissionLimits[name]),
    autosize: true,
  });

  return (
    <form onSubmit={submit} noValidate aria-label="Submit a paid link site">
      <Stack gap="md">
        <div>
          <TextInput
            {...short('domain')}
            label="Domain Name"
            placeholder="example.com"
            inputMode="url"
            autoCapitalize="off"
            spellCheck={false}
            errorProps={{ className: styles.slot }}
          />
          {!form.errors.domain && <ListedHint typed={values.domain} />}
        </div>
        <Textarea
          {...long('evidence', 'Where is the offer, and what does it say? Include links.')}
          label="Evidence"
          {...required}
          minRows={4}
          maxRows={14}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <TextInput {...short('source')} label="Source" placeholder="Marketplace, seller or list" />
          <TextInput {...short('cost')} label="Link Cost" placeholder="$50-100 per link" />
          <TextInput {...short('niche')} label="Site Niche" placeholder="Health, travel, finance…" />
          <NumberInput {...field('domainRating')} {...rating} label="Domain Rating" placeholder="0-100, optional" />
        </SimpleGrid>
        <Textarea
          {...long('additionalNotes', 'Optional. Anything else the reviewers should know.')}
          label="Additional Notes"
          minRows={2}
          maxRows={8}
        />
        {send.error && Object.keys(form.errors).length === 0 && <FormError error={send.error} />}
        <Button type="submit" disabled={send.isPending} className={styles.send}>
          {send.isPending ? 'Submitting...' : 'Submit Site'}
        </Button>
      </Stack>
    </form>
  );
}

/** Shows whether the typed domain is already on the blacklist. */
function ListedHint({ typed }: { typed: string }) {
  const [debounced] = useDebouncedValue(typed, applyDelayMs);
  const host = toHost(debounced).toLowerCase();
  const isDomain = SubmissionInput.shape.domain.safeParse(host).success;
  const { data } = useQuery({ ...checkQuery(host), enabled: isDomain });
  const check = isDomain && toHost(typed).toLowerCase() === host ? data : undefined;
  return (
    <div className={styles.hint} role="status">
      {!check && <span>Enter a domain, or paste the URL of an offer.</span>}
      {check && !check.listed && <span>Not on the blacklist yet.</span>}
      {check?.matchedDomain && check.riskLevel && (
        <>
          <span>
            <TextLink to={paths.domains} search={{ search: check.matchedDomain }} inherit underline="always">
              {check.matchedDomain}
            </TextLink>{' '}
            is already listed
          </span>
          <RiskBadge level={check.riskLevel} />
          <span>You can still add a source or new evidence.</span>
        </>
      )}
    </div>
  );
}

const text = z.catch(z.string(), '');

/** The values of the form fields. Invalid values in a stored draft are read as empty. */
const FormValues = z.object({
  domain: text,
  evidence: text,
  source: text,
  cost: text,
  niche: text,
  domainRating: z.catch(z.union([z.number(), z.string()]), ''),
  additionalNotes: text,
});
type FormValues = z.infer<typeof FormValues>;

const emptyValues = FormValues.parse({});

/** The request body: the host instead of a pasted URL, and no rating or notes if they are empty. */
function toSubmissionInput({ domainRating, additionalNotes, ...values }: FormValues) {
  return {
    ...values,
    domain: toHost(values.domain),
    ...(domainRating !== '' && { domainRating }),
    ...(additionalNotes.trim() && { additionalNotes }),
  };
}

/** Drafts are in the session storage, so that they are deleted with the tab on a shared computer. */
const draftKey = (userId: number): string => `unsent-submission-${userId}`;

function readDraft(userId: number): FormValues {
  const stored: unknown = tryStorage(() => JSON.parse(sessionStorage.getItem(draftKey(userId)) ?? '{}'));
  return FormValues.safeParse(stored).data ?? emptyValues;
}

/** Returns the fields that have a value. */
const removeEmpty = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

function saveDraft(userId: number, values: FormValues): void {
  const isEmpty = Object.values(values).every((value) => value === '');
  tryStorage(() =>
    isEmpty
      ? sessionStorage.removeItem(draftKey(userId))
      : sessionStorage.setItem(draftKey(userId), JSON.stringify(values)),
  );
}
