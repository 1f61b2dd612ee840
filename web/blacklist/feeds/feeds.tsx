import { Alert, Group, Stack } from '@mantine/core';
import { CircleCheck, ListChecks, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { feedGroups } from '#shared/blacklist/choices.ts';
import { type CatalogueEntry, createFeed } from '#shared/blacklist/feeds.ts';
import { ApiError, call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import screen from '../../ui/screen.module.css';
import styles from './feeds.module.css';

const groupTitles: Record<CatalogueEntry['group'], string> = {
  sellers: 'Link sellers and networks',
  disavow: 'Disavow lists',
  spamdexing: 'Spamdexing',
  wellKnown: 'Well-known sites',
};

/** The keys of the recommended lists that are not subscribed yet. */
export const listRecommendedKeys = (entries: readonly CatalogueEntry[]): string[] =>
  entries.filter(({ isRecommended, subscribed }) => isRecommended && !subscribed).map(({ key }) => key);

interface CataloguePickerProps {
  /** The catalogue, as `listFeedCatalogue` returns it. */
  entries: readonly CatalogueEntry[];
  /** The keys of the selected lists. Subscribed lists are shown as such and cannot be selected. */
  selected: readonly string[];
  onChange(keys: string[]): void;
  disabled?: boolean;
}

/**
 * The public lists of the catalogue in groups, with a checkbox each, a shortcut for the recommended ones, and a summary
 * of the selection. The parent keeps the selection and subscribes to the lists.
 */
export function CataloguePicker({ entries, selected, onChange, disabled = false }: CataloguePickerProps) {
  const recommended = listRecommendedKeys(entries);
  const isComplete = recommended.every((key) => selected.includes(key));
  const toggle = (key: string, isSelected: boolean) =>
    onChange(isSelected ? [...selected, key] : selected.filter((one) => one !== key));
  return (
    <Stack gap="lg">
      <div className={styles.pickerBar}>
        <span role="status">{describeSelection(entries, selected)}</span>
        <span className={screen.actions}>
          <Button
            size="xs"
            variant="default"
            leftSection={<ListChecks size={14} aria-hidden />}
            disabled={disabled || isComplete}
            onClick={() => onChange([...new Set([...selected, ...recommended])])}
          >
            Select recommended
          </Button>
          <Button size="xs" variant="subtle" disabled={disabled || selected.length === 0} onClick={() => onChange([])}>
            Clear
          </Button>
        </span>
      </div>
      {listGroups(entries).map(({ group, lists }) => (
        <fieldset key={group} className={styles.group} disabled={disabled}>
          <legend>{groupTitles[group]}</legend>
          {lists.map((entry) => (
            <CatalogueOption
              key={entry.key}
              entry={entry}
              checked={selected.includes(entry.key)}
              onChange={(isSelected) => toggle(entry.key, isSelected)}
            />
          ))}
        </fieldset>
      ))}
    </Stack>
  );
}

/** The groups that have lists, those with recommended lists first. */
function listGroups(entries: readonly CatalogueEntry[]) {
  const groups = feedGroups.map((group) => ({ group, lists: entries.filter((entry) => entry.group === group) }));
  const isRecommended = ({ lists }: (typeof groups)[number]) => lists.some((entry) => entry.isRecommended);
  return groups
    .filter(({ lists }) => lists.length > 0)
    .sort((a, b) => Number(isRecommended(b)) - Number(isRecommended(a)));
}

/** A size that changes daily, with two digits: 42,450 becomes '42,000'. */
const roundSize = (size: number) => Number(size.toPrecision(2));

/** 'No lists selected', '2 lists selected: about 22,000 domains, 500 protected sites' */
export function describeSelection(entries: readonly CatalogueEntry[], selected: readonly string[]): string {
  const lists = entries.filter(({ key }) => selected.includes(key));
  if (lists.length === 0) return 'No lists selected';
  const sizeOf = (kind: CatalogueEntry['kind']) =>
    roundSize(lists.filter((list) => list.kind === kind).reduce((sum, list) => sum + list.approximateSize, 0));
  const [listed, allowed] = [sizeOf('block'), sizeOf('allow')];
  const sizes = [
    ...(listed > 0 ? [plural(listed, 'domain')] : []),
    ...(allowed > 0 ? [plural(allowed, 'protected site')] : []),
  ];
  return `${plural(lists.length, 'list')} selected${sizes.length > 0 ? `: about ${sizes.join(', ')}` : ''}`;
}

interface CatalogueOptionProps {
  entry: CatalogueEntry;
  checked: boolean;
  onChange(isSelected: boolean): void;
}

function CatalogueOption({ entry, checked, onChange }: CatalogueOptionProps) {
  const { name, description, licence, homepage, kind, approximateSize, isRecommended, subscribed } = entry;
  const id = useId();
  return (
    <div className={styles.option} data-checked={checked || undefined} data-subscribed={subscribed || undefined}>
      {subscribed ? (
        <CircleCheck size={18} aria-hidden className={styles.done} />
      ) : (
        <Checkbox
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-text ${id}-size ${id}-license`}
          id={id}
          checked={checked}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
      <div className={styles.optionText}>
        <Group gap="4px 8px">
          {/* The label covers the whole option, so that it is easy to press. */}
          {subscribed ? (
            <span className={styles.optionName}>{name}</span>
          ) : (
            <label htmlFor={id} id={`${id}-name`} className={styles.optionName}>
              {name}
            </label>
          )}
          {subscribed ? (
            <span className={styles.tag}>Subscribed</span>
          ) : (
            isRecommended && (
              <span className={styles.tag} data-tone="brand">
                Recommended
              </span>
            )
          )}
        </Group>
        <p id={`${id}-text`} className={styles.optionDescription}>
          {description}
        </p>
        <div className={styles.facts}>
          <span id={`${id}-size`}>
            {kind === 'allow' ? 'Protects' : 'Lists'} about {plural(roundSize(approximateSize), 'domain')}
          </span>
          <span id={`${id}-license`}>License: {licence}</span>
          <ExternalLink href={homepage} of={name}>
            Homepage
          </ExternalLink>
        </div>
      </div>
    </div>
  );
}

/** A list that could not be subscribed to, and why. */
export interface FailedList {
  entry: CatalogueEntry;
  message: string;
}

/** Subscribes to lists of the catalogue one after the other. A failure does not stop the others. */
export async function subscribeToLists(entries: readonly CatalogueEntry[]) {
  const failed: FailedList[] = [];
  for (const entry of entries) {
    try {
      await call(createFeed, { body: { catalogueKey: entry.key } });
    } catch (error) {
      // Another tab or an earlier attempt has added it.
      if (error instanceof ApiError && error.body.existingId !== undefined) continue;
      failed.push({ entry, message: error instanceof ApiError ? error.message : 'Something went wrong.' });
    }
  }
  return { added: entries.length - failed.length, failed };
}

/** Says which lists could not be added, and why. Renders nothing if there are none. */
export function FailedLists({ failed }: { failed: readonly FailedList[] }) {
  if (failed.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<TriangleAlert size={18} aria-hidden />}
      title={`${plural(failed.length, 'list')} could not be added`}
    >
      <ul className={styles.failures}>
        {failed.map(({ entry, message }) => (
          <li key={entry.key}>
            <b>{entry.name}</b>: {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
