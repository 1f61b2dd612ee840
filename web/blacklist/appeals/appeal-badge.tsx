import { type AppealState, getAppeal, listOwnAppeals } from '#shared/blacklist/appeals.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import styles from './appeals.module.css';

/** The signed-in user's appeals for a domain, newest first. */
export const ownAppealsQuery = (domain: string) =>
  endpointQuery(['appeals', 'own', domain], listOwnAppeals, { params: { name: domain } });

/** An appeal, for admins. */
export const appealQuery = (id: number) =>
  endpointQuery(['appeals', 'admin', id], getAppeal, { params: { id }, staleTime: 0 });

const stateNames: Record<AppealState, string> = {
  unverified: 'Proof missing',
  verified: 'In review',
  delisted: 'Delisted',
  kept: 'Kept listed',
};

/** The state of an appeal in words. */
export function AppealBadge({ state }: { state: AppealState }) {
  return (
    <span className={styles.state} data-state={state}>
      {stateNames[state]}
    </span>
  );
}
