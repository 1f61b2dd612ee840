import { Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { maxSourceLength } from '#shared/blacklist/domains.ts';
import {
  createFamily,
  type FamilySuggestion,
  minContainment,
  minSuggestedDomains,
  updateSource,
} from '#shared/blacklist/sources.ts';
import { ApiError, call } from '../../platform/api.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import panel from '../../ui/panel.module.css';
import { QueryState } from '../../ui/query-state.tsx';
import screen from '../../ui/screen.module.css';
import { Breakable } from '../../ui/text.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { Lead } from '../../ui/typography.ts';
import { refreshSources, suggestionsQuery } from './queries.ts';
import styles from './sources.module.css';

/** Sources that list mostly the same domains, each group with a button to make it a family. */
export function Suggestions() {
  const query = useQuery(suggestionsQuery);
  const [confirmed, setConfirmed] = useState<FamilySuggestion>();
  return (
    <section aria-labelledby="suggestions">
      <Title order={2} size="h3" id="suggestions">
        Suggestions
      </Title>
      <Lead className={screen.lead}>
        Each suggestion groups sources that list mostly the same domains, and so probably copy from each other. Sources
        with fewer than {minSuggestedDomains} domains are not compared.
      </Lead>
      {query.data ? (
        <SuggestionList suggestions={query.data} onConfirm={setConfirmed} />
      ) : (
        <QueryState query={query} height={120} />
      )}
      {confirmed && (
        <ConfirmFamilyDialog key={getKey(confirmed)} suggestion={confirmed} onClose={() => setConfirmed(undefined)} />
      )}
    </section>
  );
}

const getKey = ({ sources }: FamilySuggestion) => sources.map(({ id }) => id).join(' ');

interface SuggestionListProps {
  suggestions: FamilySuggestion[];
  onConfirm(suggestion: FamilySuggestion): void;
}

function SuggestionList({ suggestions, onConfirm }: SuggestionListProps) {
  if (suggestions.length === 0) {
    return (
      <EmptyState
        icon={Users}
        title="No suggestions"
        description={`A suggestion appears when at least ${minContainment * 100}% of a source's domains are also in another source. The source needs at least ${minSuggestedDomains} domains.`}
        order={3}
      />
    );
  }
  return (
    <ul className={styles.cards} aria-label="Suggested families">
      {suggestions.map((suggestion) => {
        const title = listNames(suggestion);
        return (
          <li key={getKey(suggestion)} className={`${panel.panel} ${styles.head}`}>
            <div>
              <Title order={3} size="h4">
                <Breakable>{title}</Breakable>
              </Title>
              <Lead>{describe(suggestion)}</Lead>
            </div>
            <Button
              size="xs"
              variant="default"
              aria-label={`Confirm the family of ${title}`}
              onClick={() => onConfirm(suggestion)}
            >
              Confirm…
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

/** 'Matomo and Piwik', 'Matomo, Piwik and 2 more' */
export function listNames({ sources }: Pick<FamilySuggestion, 'sources'>): string {
  const [first = '', second = '', ...others] = sources.map(({ name }) => name);
  if (others.length === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${others.length === 1 ? others[0] : `${formatCount(others.length)} more`}`;
}

/** Says how much the sources have in common. */
export function describe({ sources, shared, containment }: FamilySuggestion): string {
  const [smaller, larger, ...others] = sources;
  const percent = `${Math.floor(containment * 100)}%`;
  if (smaller && larger && others.length === 0) {
    return `${percent} of ${smaller.name}'s ${plural(smaller.domains, 'domain')} are also in ${larger.name}.`;
  }
  return `These ${sources.length} sources are linked in pairs. In the weakest pair, ${percent} of the smaller source's domains, ${formatCount(shared)}, are also in the larger one.`;
}

/** Confirms a family. The sources join the only existing family among them, or form a new one with a name. */
function ConfirmFamilyDialog({ suggestion, onClose }: { suggestion: FamilySuggestion; onClose(): void }) {
  const queries = useQueryClient();
  const { sources } = suggestion;
  const families = new Map(sources.flatMap(({ family }) => (family ? [[family.id, family]] : [])));
  const existing = families.size === 1 ? [...families.values()][0] : undefined;
  const candidates = existing ? sources.filter(({ family }) => !family) : sources;
  const [name, setName] = useState(sources.at(-1)?.name ?? '');
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<number>>(new Set());
  const sourceIds = candidates.flatMap(({ id }) => (excludedIds.has(id) ? [] : id));
  const confirm = useMutation({
    mutationFn: async () => {
      if (!existing) return (await call(createFamily, { body: { name, sourceIds } })).name;
      for (const id of sourceIds) await call(updateSource, { params: { id }, body: { familyId: existing.id } });
      return existing.name;
    },
    onSuccess: (family) => {
      onClose();
      toastSuccess(
        existing ? 'Sources added' : 'Family confirmed',
        `The sources of ${family} count once. Their domains are being updated.`,
      );
    },
    onSettled: () => refreshSources(queries),
  });
  const nameError = confirm.error instanceof ApiError && !existing ? confirm.error : undefined;
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => confirm.mutate()}
      title={existing ? `Add to ${existing.name}` : 'Confirm family'}
      submitLabel={existing ? 'Add to family' : 'Confirm family'}
      busy={confirm.isPending}
      invalid={sourceIds.length < (existing ? 1 : 2) || (!existing && name.trim() === '')}
    >
      {!existing && (
        <TextInput
          label="Name of the family"
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            confirm.reset();
          }}
          error={nameError && (nameError.fields.name ?? nameError.message)}
          maxLength={maxSourceLength}
          autoComplete="off"
          data-autofocus
        />
      )}
      <fieldset className={styles.choice}>
        <legend>Sources of the family</legend>
        {candidates.map(({ id, name: source, domains, family }) => (
          <Checkbox
            key={id}
            label={`${source} (${plural(domains, 'domain')}${family ? `, now in ${family.name}` : ''})`}
            checked={!excludedIds.has(id)}
            onChange={() =>
              setExcludedIds(
                new Set(excludedIds.has(id) ? [...excludedIds].filter((one) => one !== id) : [...excludedIds, id]),
              )
            }
          />
        ))}
      </fieldset>
      <Text size="sm">The sources will count once. This can lower the risk levels of their domains.</Text>
      {!nameError && <FormError error={confirm.error} />}
    </FormDialog>
  );
}
