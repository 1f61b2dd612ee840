import { Group, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { maxBulkDomains } from '#shared/checks/key-checks.ts';
import { paths } from '../../../paths.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { TextLink } from '../../../ui/screen.tsx';
import { Hint } from '../../../ui/typography.ts';
import type { DomainsScreen } from '../search.ts';
import { splitNames } from './names.ts';
import { readList, saveList, takeDraft } from './stored-lists.ts';

/** The form to paste a list of names, or to change the one that is shown. */
export function NameListForm({ screen }: { screen: DomainsScreen }) {
  const { list } = screen.search;
  const [text, setText] = useState(() => takeDraft() ?? (list === undefined ? '' : (readList(list) ?? '')));
  const count = splitNames(text).length;
  const tooMany = count - maxBulkDomains;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (count === 0 || tooMany > 0) return;
    void screen.switchDialog({ dialog: undefined, list: saveList(text), search: undefined, page: undefined });
  };
  return (
    <form onSubmit={submit} aria-label="Check a list">
      <Stack gap="sm">
        <Textarea
          label="Domains or URLs"
          description={`Up to ${maxBulkDomains}, separated by line breaks, spaces or commas`}
          placeholder={'example.com\nhttps://shop.example.org/offers'}
          error={
            tooMany > 0 &&
            `This list has ${formatCount(count)} names. You can check up to ${maxBulkDomains} at a time: remove ${formatCount(tooMany)}.`
          }
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={16}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-autofocus
        />
        <Hint>
          For longer lists, files and prices, <TextLink to={paths.check}>check a list</TextLink> before you buy links.
        </Hint>
        <Group gap="sm" justify="flex-end">
          <Button variant="default" onClick={screen.close}>
            Cancel
          </Button>
          <Button type="submit" disabled={count === 0 || tooMany > 0}>
            {count > 0 && tooMany <= 0 ? `Check ${plural(count, 'name')}` : 'Check list'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
