import { NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect } from 'react';
import { type Submission, SubmissionInput, submissionLimits } from '#shared/submissions.ts';
import { Button } from '../ui/button.tsx';
import { Counter } from './counter.tsx';
import { hostOfPasted } from './host-of-pasted.ts';
import { keep, readKept } from './kept-values.ts';
import { ListedHint } from './listed-hint.tsx';
import { emptyValues, inputOf, type SubmissionFormValues } from './submission-form-values.ts';
import styles from './submit-page.module.css';
import { useSendSubmission } from './use-send-submission.ts';

const validate = schemaResolver(SubmissionInput, { sync: true });
const order = ['label', 'input', 'description', 'error'] as const;
// Every field has to be filled in but those that say so: no stars.
const needed = { required: true, withAsterisk: false };
const rating = { min: 0, max: 100, step: 1, clampBehavior: 'none', allowDecimal: false } as const;

/** The fields of a suggested site. What is typed stays until it has been sent, also over a reload. */
export function SubmitForm({ userId, onSent }: { userId: number; onSent: (submission: Submission) => void }) {
  const form = useForm<SubmissionFormValues>({
    initialValues: readKept(userId),
    validate: (values) => validate(inputOf(values)),
  });
  const { values } = form;
  useEffect(() => keep(userId, values), [userId, values]);

  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? 'domain')?.focus();
  const send = useSendSubmission(
    (submission) => {
      keep(userId, emptyValues);
      onSent(submission);
    },
    (fields) => {
      form.setErrors(fields);
      focusFirst(fields);
    },
  );
  const submit = form.onSubmit((filled) => {
    if (!send.isPending) send.mutate(inputOf(filled));
  }, focusFirst);
  const field = (name: keyof SubmissionFormValues) => {
    const props = form.getInputProps(name);
    return {
      ...props,
      onBlur: () => {
        props.onBlur?.();
        if (name === 'domain') form.setFieldValue('domain', hostOfPasted(values.domain));
        if (values[name] !== '') void form.validateField(name);
      },
    };
  };
  const short = (name: 'domain' | 'source' | 'cost' | 'niche') => ({
    ...field(name),
    ...needed,
    autoComplete: 'off',
    rightSection: <Counter text={values[name]} most={submissionLimits[name]} />,
    rightSectionWidth: 62,
    rightSectionProps: { className: styles.room },
    rightSectionPointerEvents: 'none' as const,
  });
  const long = (name: 'evidence' | 'additionalNotes', hint: string) => ({
    ...field(name),
    inputWrapperOrder: [...order],
    autosize: true,
    description: (
      <span className={styles.below}>
        <span>{hint}</span>
        <Counter text={values[name]} most={submissionLimits[name]} />
      </span>
    ),
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
          {...long('evidence', 'Where is the offer, and what does it say? Links help.')}
          label="Evidence"
          {...needed}
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
        <Button type="submit" disabled={send.isPending} className={styles.send}>
          {send.isPending ? 'Submitting...' : 'Submit Site'}
        </Button>
      </Stack>
    </form>
  );
}
