import type { Report, ReportOverview } from '#shared/reports/reports.ts';
import type { Signal, SignalExample, SignalResult } from '#shared/reports/signals.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { FilterLink } from './filter-link.tsx';
import type { ReportScreen } from './screen.ts';
import { describeExample, signalTexts } from './signal-texts.ts';
import styles from './signals.module.css';

interface SignalsProps {
  screen: ReportScreen;
  report: Report;
  overview: ReportOverview;
}

/**
 * The patterns in the export, with examples. Each filters the list. Reports from before patterns have no such section.
 */
export function Signals({ screen, report: { signals }, overview }: SignalsProps) {
  if (signals.length === 0) return null;
  const Heading = screen.hasReview ? 'h2' : 'h3';
  const found = signals.filter(({ available, domains }) => available && domains > 0);
  const absent = signals.filter(({ available, domains }) => available && domains === 0);
  const missing = signals.filter(({ available }) => !available);
  return (
    <section className={styles.panel} aria-labelledby="signals-title">
      <Heading id="signals-title">Patterns in the export</Heading>
      <p className={styles.note}>
        Paid links often look alike. Patterns are hints for your review: they never change a risk level or the toxicity.
      </p>
      {found.length > 0 && (
        <ul className={styles.list}>
          {found.map((result) => (
            <SignalItem
              key={result.signal}
              screen={screen}
              result={result}
              listed={countListed(overview, result.signal)}
            />
          ))}
        </ul>
      )}
      {absent.length > 0 && (
        <p className={styles.note}>
          Not found: {absent.map(({ signal }) => signalTexts[signal].name.toLowerCase()).join(', ')}
        </p>
      )}
      {missing.length > 0 && (
        <p className={styles.note}>
          Not in this export: {missing.map(({ signal }) => signalTexts[signal].needs).join(', ')}
        </p>
      )}
    </section>
  );
}

const countListed = ({ signalCounts }: ReportOverview, signal: Signal) =>
  signalCounts.find((one) => one.signal === signal)?.domains ?? 0;

const shownExamples = 3;

interface SignalItemProps {
  screen: ReportScreen;
  result: SignalResult;
  /** The toxic domains that show the pattern. */
  listed: number;
}

function SignalItem({ screen, result: { signal, domains, examples }, listed }: SignalItemProps) {
  const Heading = screen.hasReview ? 'h3' : 'h4';
  const { name, meaning } = signalTexts[signal];
  return (
    <li>
      <div className={styles.head}>
        <Heading>{name}</Heading>
        <span className={styles.count}>{plural(domains, 'referring domain')}</span>
      </div>
      <p className={styles.note}>{meaning}</p>
      <ul className={styles.examples}>
        {examples.slice(0, shownExamples).map((example) => (
          <li key={`${example.kind} ${example.text} ${example.domains[0]}`}>
            <Example example={example} />
          </li>
        ))}
      </ul>
      {listed > 0 ? (
        <FilterLink screen={screen} change={{ signal }} className={styles.filter}>
          Show {plural(listed, 'toxic domain')}
        </FilterLink>
      ) : (
        <p className={styles.note}>No toxic domain shows this pattern.</p>
      )}
    </li>
  );
}

function Example({ example }: { example: SignalExample }) {
  const { kind, text, count, domains } = example;
  const { before, after } = describeExample(example);
  const isMono = kind === 'page' || kind === 'address' || kind === 'network';
  const others = kind === 'links' || kind === 'page' ? 0 : count - domains.length;
  return (
    <>
      <span dir="auto">
        {kind === 'week' ? (
          <>
            Week of <DateText value={text} />:{' '}
          </>
        ) : isMono ? (
          <span data-mono>{text} </span>
        ) : (
          `${before} `
        )}
        {after}
      </span>
      {kind !== 'page' && (
        <span className={styles.domains}>
          {domains.map((domain) => (
            <span key={domain} data-mono>
              {domain}
            </span>
          ))}
          {others > 0 && <span>and {formatCount(others)} more</span>}
        </span>
      )}
    </>
  );
}
