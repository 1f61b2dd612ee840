import { useId } from 'react';
import type { CodeSample } from '#shared/openapi-document.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import hidden from '../ui/hidden.module.css';
import classes from './code-samples.module.css';
import { useLanguage } from './use-language.ts';

interface Props {
  samples: readonly CodeSample[];
  /** What they do: 'Check one domain'. */
  title: string;
}

/** The same call in several languages, one at a time. The style sheet shows the chosen one, so that it works without a script. */
export function CodeSamples({ samples, title }: Props) {
  const { language, choose } = useLanguage();
  const name = useId();
  const chosen = samples.some(({ label }) => label === language) ? language : samples[0]?.label;
  return (
    <div className={classes.samples}>
      <fieldset className={classes.choice}>
        <legend className={hidden.hidden}>Language of the example '{title}'</legend>
        {samples.map(({ label }) => (
          <label key={label}>
            <input type="radio" name={name} checked={label === chosen} onChange={() => choose(label)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {samples.map(({ label, source }) => (
        <div key={label} className={classes.sample}>
          <CodeBlock code={source} label={`${label}: ${title}`} />
        </div>
      ))}
    </div>
  );
}
