import { Textarea, TextInput } from '@mantine/core';
import { DateText } from '../../ui/date-text.tsx';
import type { Column } from '../../ui/table.tsx';
import { Breakable } from '../../ui/text.tsx';

/** What an admin decided about a name. */
interface Rule {
  reason: string;
  /** Null if the account was deleted. */
  createdBy: string | null;
  dateCreated: string;
}

/** The column of the names of rules. */
export const nameColumn = <T,>(name: string, nameOf: (rule: T) => string): Column<T> => ({
  name,
  width: '26%',
  onCard: 'title',
  cell: (rule) => (
    <bdi dir="ltr" data-mono>
      <Breakable>{nameOf(rule)}</Breakable>
    </bdi>
  ),
});

/** The columns that say why, by whom and when a rule was added. */
export const ruleColumns: Column<Rule>[] = [
  { name: 'Reason', cell: ({ reason }) => <bdi>{reason}</bdi> },
  {
    name: 'Added by',
    width: '16%',
    cell: ({ createdBy }) => createdBy ?? <span data-quiet>Deleted account</span>,
  },
  { name: 'Added', width: '128px', cell: ({ dateCreated }) => <DateText value={dateCreated} /> },
];

interface FieldProps {
  label: string;
  description: string;
  value: string;
  onChange(value: string): void;
  error: string | undefined;
}

/** The field of a name in the form of a rule. */
export function NameField({ onChange, ...field }: FieldProps) {
  return (
    <TextInput
      {...field}
      placeholder="example.com"
      required
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  );
}

/** The field of the reason in the form of a rule. */
export function ReasonField({ onChange, ...field }: Omit<FieldProps, 'label'>) {
  return (
    <Textarea
      {...field}
      label="Reason"
      required
      autosize
      minRows={2}
      maxRows={6}
      maxLength={500}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
