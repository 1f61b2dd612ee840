import { Input, Modal } from '@mantine/core';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { closeOverlay } from './overlay.ts';
import styles from './palette.module.css';
import { filterEntries, groupEntries, type PaletteEntry, usePaletteEntries } from './palette-entries.ts';

const close = () => closeOverlay('palette');

/** The command palette. It is a WAI-ARIA combobox: the focus stays in the search field. */
export function Palette({ opened }: { opened: boolean }) {
  const [query, setQuery] = useState('');
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={() => setQuery('')}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      withCloseButton={false}
      yOffset="12dvh"
      size={560}
      padding={0}
    >
      <Choices opened={opened} query={query} onQuery={setQuery} />
    </Modal>
  );
}

interface ChoicesProps {
  opened: boolean;
  query: string;
  onQuery: (query: string) => void;
}

function Choices({ opened, query, onQuery }: ChoicesProps) {
  const [selected, setSelected] = useState(0);
  const groups = groupEntries(filterEntries(usePaletteEntries(opened, query.trim()), query));
  const entries = groups.flatMap(([, group]) => group);
  const current = entries[Math.min(selected, entries.length - 1)];
  const id = useId();
  const optionId = (index: number) => `${id}${index}`;

  const choose = (entry: PaletteEntry) => {
    close();
    entry.run();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && current) choose(current);
    else if (event.key === 'ArrowDown' && current) setSelected((current.index + 1) % entries.length);
    else if (event.key === 'ArrowUp' && current) setSelected((current.index - 1 + entries.length) % entries.length);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <Input
        variant="unstyled"
        className={styles.field}
        size="md"
        data-autofocus
        leftSection={<Search size={17} aria-hidden />}
        placeholder="Find a page, website or domain"
        maxLength={253}
        spellCheck={false}
        autoComplete="off"
        role="combobox"
        aria-label="Search pages and actions"
        aria-expanded
        aria-controls={`${id}list`}
        aria-autocomplete="list"
        aria-activedescendant={current && optionId(current.index)}
        value={query}
        onChange={(event) => {
          onQuery(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKey}
      />
      <div id={`${id}list`} role="listbox" aria-label="Results" tabIndex={-1} className={styles.list}>
        {groups.map(([name, group]) => (
          // biome-ignore lint/a11y/useSemanticElements: a list box cannot contain a fieldset
          <div key={name} role="group" aria-label={name}>
            <div className={styles.group} aria-hidden="true">
              {name}
            </div>
            {group.map((entry) => (
              <Choice
                key={entry.label}
                entry={entry}
                id={optionId(entry.index)}
                isCurrent={entry.index === current?.index}
                onPoint={() => setSelected(entry.index)}
                onChoose={() => choose(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      <div role="status">{!current && <p className={styles.none}>No results found.</p>}</div>
    </>
  );
}

interface ChoiceProps {
  entry: PaletteEntry;
  id: string;
  isCurrent: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Choice({ entry: { label, Icon, checked }, id, isCurrent, onPoint, onChoose }: ChoiceProps) {
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <button
      ref={element}
      id={id}
      type="button"
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      className={styles.choice}
      onMouseMove={onPoint}
      onClick={onChoose}
    >
      <Icon size={17} aria-hidden />
      {checked ? `${label} (current)` : label}
    </button>
  );
}
