import '../../ui/more-styles.ts';
import { Suspense } from 'react';
import { useSession } from '../../accounts/sessions/session.tsx';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { useTitle } from '../../platform/use-title.ts';
import frame from '../../ui/public-page.module.css';
import styles from './check-list-page.module.css';
import { ListForm } from './list-form.tsx';
import { ListPlaceholder } from './list-placeholder.tsx';
import { useCheckScreen } from './screen.ts';

/** Loaded only for results, so that the form loads quickly. */
const ListView = lazyPart(() => import('./list-view.tsx'), 'ListView');

const OwnLists = lazyPart(() => import('./own-lists.tsx'), 'OwnLists');

/** The page to check a list of domains: the form with the user's lists or, with a list in the URL, its results. */
export function CheckListPage() {
  useTitle(publicPageTitles[paths.check]);
  const screen = useCheckScreen();
  const { user } = useSession();
  const { list } = screen.search;
  return (
    <div className={`${frame.page} ${styles.page}`}>
      <div className={`${frame.head} ${styles.head}`}>
        <h1>Check a List</h1>
        <p className={frame.lead}>
          Before you buy links, check the sites you were offered: which are on the blacklist, how risky they are, and
          what their links are known to cost.
        </p>
      </div>
      {list === undefined ? (
        <ListForm screen={screen}>
          {user && (
            <Suspense fallback={<div data-waiting />}>
              <OwnLists screen={screen} />
            </Suspense>
          )}
        </ListForm>
      ) : (
        <Suspense fallback={<ListPlaceholder />}>
          <ListView key={list} id={list} screen={screen} />
        </Suspense>
      )}
    </div>
  );
}
