import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, type LucideIcon, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { type Feed, refreshFeed, updateFeed } from '#shared/blacklist/feeds.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { useSingleFlight } from '../../platform/use-single-flight.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Menu, menuItem } from '../../ui/menu.tsx';
import buttons from '../../ui/menu-button.module.css';
import screen from '../../ui/screen.module.css';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { isLoading, refreshFeeds } from './queries.ts';

/** What the screen does when the user changes a feed. */
export interface FeedHandlers {
  /** Called with the id of the run that the user started. */
  onRun(runId: number): void;
  onEdit(feed: Feed): void;
  onDelete(feed: Feed): void;
}

interface FeedActionsProps {
  feed: Feed;
  handlers: FeedHandlers;
  withHistory?: boolean;
}

/** Buttons to refresh a feed and to open its history, and a menu with the other actions. */
export function FeedActions({ feed, handlers, withHistory = false }: FeedActionsProps) {
  const { onRun, onEdit, onDelete } = handlers;
  const client = useQueryClient();
  const { id, name, enabled } = feed;
  const refresh = useMutation({
    mutationFn: () => call(refreshFeed, { params: { id } }),
    onSuccess: ({ runId }) => onRun(runId),
    onError: (error) => toastError(`Refresh of ${name} failed`, error.message),
  });
  const pause = useMutation({
    mutationFn: (isEnabled: boolean) => call(updateFeed, { params: { id }, body: { enabled: isEnabled } }),
    onSuccess: (_, isEnabled) =>
      isEnabled
        ? toastSuccess('Feed resumed', `${name} is downloaded regularly again.`)
        : toastSuccess('Feed paused', `${name} is not downloaded until you resume it. Its domains stay.`),
    onError: (error) => toastError(enabled ? 'The feed was not paused' : 'The feed was not resumed', error.message),
    onSettled: () => refreshFeeds(client),
  });
  const setEnabled = useSingleFlight(pause.mutate);
  const lastAction = pause.submittedAt > refresh.submittedAt ? pause : refresh;
  return (
    <div className={screen.actions}>
      <Button
        size="xs"
        variant="default"
        aria-label={`Refresh now: ${name}`}
        disabled={isLoading(feed)}
        loading={refresh.isPending}
        onClick={() => refresh.mutate()}
      >
        Refresh now
      </Button>
      {withHistory && (
        <ButtonLink
          size="xs"
          variant="default"
          to={paths.adminFeeds}
          search={{ feed: id }}
          aria-label={`History of ${name}`}
        >
          History
        </ButtonLink>
      )}
      <Menu label={`More actions for ${name}`} button={<Ellipsis size={16} aria-hidden />} buttonClass={buttons.more}>
        <MenuButton Icon={Pencil} onClick={() => onEdit(feed)}>
          Edit
        </MenuButton>
        <MenuButton Icon={enabled ? Pause : Play} onClick={() => setEnabled(!enabled)}>
          {enabled ? 'Pause' : 'Resume'}
        </MenuButton>
        <MenuButton Icon={Trash2} onClick={() => onDelete(feed)}>
          Delete
        </MenuButton>
      </Menu>
      <FormError error={lastAction.error} />
    </div>
  );
}

interface MenuButtonProps {
  Icon: LucideIcon;
  onClick(): void;
  children: string;
}

function MenuButton({ Icon, onClick, children }: MenuButtonProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={menuItem} onClick={onClick}>
      <Icon size={15} aria-hidden />
      {children}
    </button>
  );
}
