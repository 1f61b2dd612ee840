import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import type { Operation } from '#shared/checks/openapi-operation.ts';
import { tryStorage } from '../../platform/storage.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import hidden from '../../ui/hidden.module.css';
import { useServed } from '../../ui/served.ts';
import styles from './code-samples.module.css';

interface Props {
  samples: Operation['x-codeSamples'];
  /** What the call does: 'Check a domain'. */
  title: string;
}

/**
 * The same call in several languages, one at a time. The choice works without a script: the style sheet shows the
 * checked one.
 */
export function CodeSamples({ samples, title }: Props) {
  const { language, choose } = useContext(Language);
  const name = useId();
  const chosen = samples.some(({ label }) => label === language) ? language : samples[0]?.label;
  return (
    <div className={styles.samples}>
      <fieldset className={styles.choice} data-stored={storageKey}>
        <legend className={hidden.hidden}>Language of the example: {title}</legend>
        {samples.map(({ label }) => (
          <label key={label}>
            <input type="radio" name={name} checked={label === chosen} onChange={() => choose(label)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {samples.map(({ label, source }) => (
        <div key={label} className={styles.sample}>
          <CodeBlock code={source} label={`${label}: ${title}`} />
        </div>
      ))}
    </div>
  );
}

const Language = createContext<{ language?: string; choose: (label: string) => void }>({ choose: () => undefined });

/** Lets all examples inside share one language. The choice is stored in this browser. */
export function LanguageChoice({ children }: { children: ReactNode }) {
  const stored = useServed(undefined, storedLanguage);
  const [chosen, setChosen] = useState<string>();
  const language = chosen ?? stored;
  const choose = (label: string) => {
    setChosen(label);
    tryStorage(() => localStorage.setItem(storageKey, label));
  };
  return <Language value={{ language, choose }}>{children}</Language>;
}

const storageKey = 'linksieve-api-language';

const storedLanguage = () => tryStorage(() => localStorage.getItem(storageKey)) ?? undefined;
