import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { SubmissionInput } from '#shared/submissions.ts';
import { RiskBadge } from '../domains/domains.tsx';
import { settleDelay } from '../lib/use-draft.ts';
import { paths } from '../paths.ts';
import { TextLink } from '../ui/screen.tsx';
import { hostOfPasted } from './host-of-pasted.ts';
import styles from './listed-hint.module.css';
import { checkQuery } from './queries.ts';

/** Says, while a name is typed, whether it is in the blacklist already. Silent where it cannot tell. */
export function ListedHint({ typed }: { typed: string }) {
  const [settled] = useDebouncedValue(typed, settleDelay);
  const host = hostOfPasted(settled).toLowerCase();
  const isPlausible = SubmissionInput.shape.domain.safeParse(host).success;
  const { data } = useQuery({ ...checkQuery(host), enabled: isPlausible });
  const check = isPlausible && hostOfPasted(typed).toLowerCase() === host ? data : undefined;
  return (
    <div className={styles.hint} role="status">
      {!check && <span>The name of the site, or the address of an offer.</span>}
      {check && !check.listed && <span>Not in the blacklist yet.</span>}
      {check?.matchedDomain && check.riskLevel && (
        <>
          <span>
            <TextLink to={paths.domains} search={{ search: check.matchedDomain }} inherit underline="always">
              {check.matchedDomain}
            </TextLink>{' '}
            is already listed
          </span>
          <RiskBadge level={check.riskLevel} />
          <span>Another source or new evidence still helps.</span>
        </>
      )}
    </div>
  );
}
