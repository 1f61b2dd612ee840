import { queryOptions } from '@tanstack/react-query';
import { type AppealState, getAppeal, listOwnAppeals } from '#shared/blacklist/appeals.ts';
import { call } from '../../platform/api.ts';
import styles from './appeals.module.css';

/** The signed-in user's appeals for a domain, newest first. */
export const ownAppealsQuery = (domain: string) =>
  queryOptions({
    queryKey: ['appeals', 'own', domain],
    queryFn: ({ signal }) => call(listOwnAppeals, { params: { name: domain }, signal }),
  });

/** An appeal, for admins. */
export const appealQuery = (id: number) =>
  queryOptions({
    queryKey: ['appeals', 'admin', id],
    queryFn: ({ signal }) => call(getAppeal, { params: { id }, signal }),
    staleTime: 0,
  });

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
