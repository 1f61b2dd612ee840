import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { Menu, menuItem } from '../ui/menu.tsx';
import classes from './header.module.css';

export const themes = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
  { value: 'auto', label: 'System', Icon: Monitor },
] as const satisfies { value: MantineColorScheme; label: string; Icon: typeof Sun }[];

/** Light, dark, or what the system says; remembered on this device. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = themes.find(({ value }) => value === colorScheme)?.Icon ?? Monitor;
  return (
    <Menu label="Theme" button={<Current size={18} aria-hidden />}>
      {themes.map(({ value, label, Icon }) => (
        <button
          key={value}
          type="button"
          role="menuitemradio"
          aria-checked={value === colorScheme}
          tabIndex={-1}
          className={menuItem}
          onClick={() => setColorScheme(value)}
        >
          <Icon size={16} aria-hidden />
          {label}
          {value === colorScheme && <Check size={16} aria-hidden className={classes.checked} />}
        </button>
      ))}
    </Menu>
  );
}
