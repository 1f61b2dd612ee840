import { Modal, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Tag } from 'lucide-react';
import { Suspense } from 'react';
import type { Website } from '#shared/reports/websites.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { IconButton } from '../../../ui/button.tsx';
import { FocusedTitle } from '../../../ui/dialogs.tsx';
import { nameWebsites } from './filter-websites.ts';
import styles from './tags.module.css';

const TagsForm = lazyPart(() => import('./tags-form.tsx'), 'TagsForm');

interface TagListProps {
  tags: readonly string[];
  /** Makes each tag a button. */
  onChoose?: ((tag: string) => void) | undefined;
}

/** The tags of a website. Renders nothing without tags. */
export function TagList({ tags, onChoose }: TagListProps) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          {onChoose ? (
            <button
              type="button"
              className={styles.tag}
              title={`Show the websites with the tag ${tag}`}
              onClick={() => onChoose(tag)}
            >
              {tag}
            </button>
          ) : (
            <span className={styles.tag}>{tag}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The button that edits the tags of a website. */
export function EditTags({ website }: { website: Website }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <IconButton label={`Edit tags of ${website.domain}`} className={styles.edit} onClick={dialog.open}>
        <Tag size={14} aria-hidden />
      </IconButton>
      <TagsDialog websites={[website]} opened={opened} onClose={dialog.close} />
    </>
  );
}

interface TagsDialogProps {
  websites: readonly Website[];
  opened: boolean;
  onClose(): void;
}

/** The dialog that edits the tags of websites. Its form is loaded when it opens. */
export function TagsDialog({ websites, opened, onClose }: TagsDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="md"
      title={<FocusedTitle>Tags of {nameWebsites(websites)}</FocusedTitle>}
    >
      <Suspense fallback={<Skeleton height={132} radius="md" aria-label="Loading..." />}>
        <TagsForm websites={websites} onClose={onClose} />
      </Suspense>
    </Modal>
  );
}
