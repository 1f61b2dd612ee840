import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { useRef } from 'react';
import { prepareFocusNearby } from '../platform/focus.ts';
import { Button, type ButtonLook, IconButton } from './button.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from './dialogs.tsx';
import { toastError } from './toast.tsx';

interface Props<Result>
  extends Pick<ConfirmDialogProps<true>, 'title' | 'confirmLabel' | 'destructive' | 'stackId' | 'children'>,
    Pick<ButtonLook, 'size' | 'variant'> {
  label: string;
  /** The accessible name, if the label does not say what the action applies to. */
  name?: string;
  icon?: LucideIcon;
  /** Whether the button shows only its icon. */
  isIcon?: boolean;
  run(): Promise<Result>;
  /** Called after the dialog has been closed. */
  onDone(result: Result): Promise<void> | void;
  /** The title of the toast if it fails. */
  errorTitle?: string | ((error: Error) => string);
  /** Whether the action removes the row of the button, so that the focus moves to another one. */
  removesRow?: boolean;
}

/** A button whose action is confirmed first. */
export function ConfirmButton<Result>(props: Props<Result>) {
  const {
    label,
    name,
    icon: Icon,
    isIcon,
    size = 'xs',
    variant = 'default',
    run,
    onDone,
    errorTitle,
    removesRow,
    ...dialog
  } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [opened, { open, close }] = useDisclosure(false);
  const action = useMutation({
    mutationFn: (_: true) => run(),
    onSuccess: async (result) => {
      const moveFocus = removesRow ? prepareFocusNearby(button.current) : undefined;
      close();
      await onDone(result);
      moveFocus?.();
    },
    onError: (error) =>
      errorTitle && toastError(typeof errorTitle === 'string' ? errorTitle : errorTitle(error), error.message),
  });
  return (
    <>
      {isIcon && Icon ? (
        <IconButton ref={button} label={name ?? label} title={label} onClick={open}>
          <Icon size={16} aria-hidden />
        </IconButton>
      ) : (
        <Button
          ref={button}
          size={size}
          variant={variant}
          leftSection={Icon && <Icon size={14} aria-hidden />}
          aria-label={name}
          onClick={open}
        >
          {label}
        </Button>
      )}
      <ConfirmDialog target={opened || undefined} onClose={close} action={action} {...dialog} />
    </>
  );
}
