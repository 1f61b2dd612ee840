import { Group, NativeSelect, NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { DomainInput } from '#shared/blacklist/domain-changes.ts';
import { type Domain, type RiskLevel, riskLevels } from '#shared/blacklist/domains.ts';
import { Button } from '../../ui/button.tsx';
import { focusLate } from '../../ui/dialogs.tsx';
import { selectLook } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { riskLabels } from './domains.tsx';

interface DomainFormProps {
  initial: DomainFormValues;
  submitLabel: string;
  isBusy: boolean;
  /** The error of the last save, if it does not belong to a field. */
  problem: { message: string } | null | undefined;
  /** Resolves to undefined when saved, or to error messages by field. */
  onSubmit(input: DomainInput): Promise<Record<string, string> | undefined>;
  onCancel(): void;
}

const validate = schemaResolver(DomainInput, { sync: true });
const riskOptions = [
  { value: '', label: 'By number of sources' },
  ...riskLevels.map((level) => ({ value: level, label: `${riskLabels[level]} Risk` })),
];

/** The form to add or edit a domain. */
export function DomainForm({ initial, submitLabel, isBusy, problem, onSubmit, onCancel }: DomainFormProps) {
  const form = useForm<DomainFormValues>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: (values) => validate(toDomainInput(values)),
  });
  const submit = form.onSubmit(
    async (values) => {
      const errors = await onSubmit(toDomainInput(values));
      if (!errors) return;
      form.setErrors(errors);
      focus(Object.keys(errors)[0]);
    },
    (errors) => focus(Object.keys(errors)[0]),
  );
  const focus = (field: string | undefined) => field && form.getInputNode(field)?.focus();
  const field = (name: keyof DomainFormValues) => form.getInputProps(name);

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            {...field('domain')}
            label="Domain"
            placeholder="example.com"
            required
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            ref={focusLate}
            data-autofocus
          />
          <TextInput {...field('source')} label="Source" placeholder="Fiverr, manual" required autoComplete="off" />
          <NativeSelect {...field('riskLevel')} {...selectLook} label="Risk level" data={riskOptions} />
          <TextInput {...field('niche')} label="Niche" />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          <NumberInput
            {...field('domainRating')}
            label="Domain rating"
            placeholder="0-100"
            allowDecimal={false}
            hideControls
          />
          <NumberInput {...field('outboundLinks')} label="Outbound links" allowDecimal={false} hideControls />
          <TextInput {...field('cost')} label="Cost" placeholder="$50-100 per link" />
        </SimpleGrid>
        <Textarea {...field('description')} label="Description" autosize minRows={2} maxRows={6} />
        <Textarea {...field('sourceDetails')} label="Source details" autosize minRows={1} maxRows={6} />
        <Textarea {...field('notes')} label="Notes" autosize minRows={2} maxRows={8} />
        <FormError error={problem} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The values of the form fields. A number input returns a string while its content is not a number. */
interface DomainFormValues {
  domain: string;
  source: string;
  description: string;
  riskLevel: RiskLevel | '';
  sourceDetails: string;
  notes: string;
  niche: string;
  cost: string;
  domainRating: number | string;
  outboundLinks: number | string;
}

/** The initial values of the form; empty without a domain. */
export function toFormValues(domain?: Domain): DomainFormValues {
  return {
    domain: domain?.domain ?? '',
    source: domain?.source ?? '',
    description: domain?.description ?? '',
    riskLevel: domain?.riskLevel ?? '',
    sourceDetails: domain?.sourceDetails ?? '',
    notes: domain?.notes ?? '',
    niche: domain?.niche ?? '',
    cost: domain?.cost ?? '',
    domainRating: domain?.domainRating ?? '',
    outboundLinks: domain?.outboundLinks ?? '',
  };
}

/** The request body. Empty fields become null. */
function toDomainInput(values: DomainFormValues): DomainInput {
  return {
    domain: values.domain.trim(),
    source: values.source.trim(),
    description: textOrNull(values.description),
    riskLevel: values.riskLevel || null,
    sourceDetails: textOrNull(values.sourceDetails),
    notes: textOrNull(values.notes),
    niche: textOrNull(values.niche),
    cost: textOrNull(values.cost),
    domainRating: numberOrNull(values.domainRating),
    outboundLinks: numberOrNull(values.outboundLinks),
  };
}

function textOrNull(text: string): string | null {
  return text.trim() || null;
}

function numberOrNull(value: number | string): number | null {
  return value === '' ? null : Number(value);
}
