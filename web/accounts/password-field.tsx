import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import classes from './auth-page.module.css';

/** A password with a button to show it and a hint while Caps Lock is on. */
export function PasswordField(props: PasswordInputProps) {
  const [capsLock, setCapsLock] = useState(false);
  const [visible, setVisible] = useState(false);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div>
      <PasswordInput
        {...props}
        onKeyDown={watch}
        onKeyUp={watch}
        onBlur={(event) => {
          setCapsLock(false);
          props.onBlur?.(event);
        }}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{
          'aria-label': visible ? 'Hide password' : 'Show password',
          'aria-hidden': false,
          tabIndex: 0,
        }}
      />
      {capsLock && (
        <p className={classes.hint} role="status">
          Caps Lock is on.
        </p>
      )}
    </div>
  );
}
