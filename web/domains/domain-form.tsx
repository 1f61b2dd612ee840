import { Group, NativeSelect, NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type Domain, DomainInput, type RiskLevel, riskLevels } from '#shared/domains.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/dialogs.tsx';
import { selectLook } from '../ui/fields.tsx';
import { riskWords } from './domains.tsx';

interface DomainFormProps {
  initial: DomainFormValues;
  submitLabel: string;
  isBusy: boolean;
  /** Why the server took nothing, where that is about no field. */
  problem: { message: string } | null | undefined;
  /** Resolves to what the server refuses, by field; to undefined when it took everything. */
  onSubmit(input: DomainInput): Promise<Record<string, string> | undefined>;
  onCancel(): void;
}

const validate = schemaResolver(DomainInput, { sync: true });
const riskOptions = [
  { value: '', label: 'By number of sources' },
  ...riskLevels.map((level) => ({ value: level, label: `${riskWords[level]} Risk` })),
];

/** The fields of a domain, for adding and for editing. */
export function DomainForm({ initial, submitLabel, isBusy, problem, onSubmit, onCancel }: DomainFormProps) {
  const form = useForm<DomainFormValues>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: (values) => validate(inputOf(values)),
  });
  const submit = form.onSubmit(
    async (values) => {
      const refused = await onSubmit(inputOf(values));
      if (!refused) return;
      form.setErrors(refused);
      focus(Object.keys(refused)[0]);
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
        <Group justify="flex-end" gap="sm" mt="xs">
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

/** What the fields of the form hold: text everywhere, numbers as their field gives them. */
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

/** What the form starts with; blanks for a new domain. */
export function valuesOf(domain?: Domain): DomainFormValues {
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

/** What is sent: blanks as null. */
function inputOf(values: DomainFormValues): DomainInput {
  return {
    domain: values.domain.trim(),
    source: values.source.trim(),
    description: textOf(values.description),
    riskLevel: values.riskLevel || null,
    sourceDetails: textOf(values.sourceDetails),
    notes: textOf(values.notes),
    niche: textOf(values.niche),
    cost: textOf(values.cost),
    domainRating: numberOf(values.domainRating),
    outboundLinks: numberOf(values.outboundLinks),
  };
}

function textOf(text: string): string | null {
  return text.trim() || null;
}

function numberOf(value: number | string): number | null {
  return value === '' ? null : Number(value);
}
