import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Answer,
  answerDisavowQuestions,
  type DisavowAnswers,
  toDisavowAdvice,
} from '#shared/reports/disavow-advice.ts';
import type { Website } from '#shared/reports/websites.ts';
import { call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { RadioGroup } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import panel from '../../ui/panel.module.css';
import { websitesQuery } from '../websites/websites.ts';
import styles from './disavow.module.css';
import { adviceTitles } from './disavow.ts';

const answerOptions = [
  { value: 'no', label: 'No' },
  { value: 'yes', label: 'Yes' },
  { value: 'unsure', label: 'I do not know' },
] as const;

const questions: { name: keyof DisavowAnswers; legend: string }[] = [
  {
    name: 'manualAction',
    legend: 'Does Search Console show a manual action for “unnatural links to your site”?',
  },
  { name: 'boughtLinks', legend: 'Did you, or someone you paid, buy links or take part in link schemes?' },
  { name: 'suddenDrop', legend: 'Did the traffic from Google Search drop suddenly?' },
];

const reasons = {
  yes: 'Ask the sites to remove the links first. Disavow the domains whose links remain, and then request a review in Search Console.',
  'after removal':
    'Paid links can cause a manual action. Ask the sites to remove them or to mark them as sponsored. Disavow only what you cannot get removed.',
  no: 'Google ignores most spammy links by itself. A disavow file that you do not need can remove links that help you.',
} as const;

const dropReason =
  'A drop alone is not a reason to disavow. Check for technical problems, manual actions and ranking updates first.';

/** Google's pages about when to disavow. */
const sources = [
  { href: 'https://support.google.com/webmasters/answer/2648487', text: 'Disavow links to your site' },
  { href: 'https://support.google.com/webmasters/answer/9044175', text: 'Manual actions report' },
  { href: 'https://developers.google.com/search/docs/essentials/spam-policies', text: 'Spam policies' },
  {
    href: 'https://developers.google.com/search/docs/monitor-debug/debugging-search-traffic-drops',
    text: 'Debug drops in search traffic',
  },
];

/** "Should I disavow?": three questions, and the advice that follows from the answers. */
export function DisavowQuestions({ website }: { website: Website }) {
  const client = useQueryClient();
  const saved = website.disavowAnswers;
  const [answers, setAnswers] = useState<Partial<DisavowAnswers>>(saved ?? {});
  const [isOpen, setOpen] = useState(saved === null);
  const save = useMutation({
    mutationFn: (body: DisavowAnswers) => call(answerDisavowQuestions, { params: { id: website.id }, body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: websitesQuery.queryKey });
      setOpen(false);
    },
  });
  const complete = toComplete(answers);
  const advice = saved && toDisavowAdvice(saved);
  return (
    <section className={panel.panel} aria-labelledby="should-i-disavow">
      <div className={styles.advice}>
        <div className={styles.adviceText}>
          <h2 id="should-i-disavow" className={styles.title}>
            Should I disavow?
          </h2>
          {advice ? (
            <>
              <p>
                <strong>{adviceTitles[advice]}</strong> {reasons[advice]}{' '}
                {advice === 'no' && saved.suddenDrop === 'yes' && dropReason}
              </p>
              <p className={styles.quiet}>
                From your answers of <DateText value={saved.answeredAt} />.
              </p>
            </>
          ) : (
            <p>Answer three questions to find out. Most websites never need a disavow file.</p>
          )}
        </div>
        {!isOpen && (
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            Change answers
          </Button>
        )}
      </div>
      {isOpen && (
        <form
          className={styles.questions}
          onSubmit={(event) => {
            event.preventDefault();
            if (complete) save.mutate(complete);
          }}
        >
          {questions.map(({ name, legend }) => (
            <RadioGroup<Answer>
              key={name}
              legend={legend}
              options={answerOptions}
              value={answers[name]}
              onChange={(value) => setAnswers({ ...answers, [name]: value })}
            />
          ))}
          <div className={styles.buttons}>
            <Button type="submit" size="xs" disabled={!complete} loading={save.isPending}>
              Save answers
            </Button>
            {saved && (
              <Button variant="default" size="xs" onClick={() => setOpen(false)}>
                Cancel
              </Button>
            )}
          </div>
          <FormError error={save.error} />
        </form>
      )}
      <p className={styles.sources}>
        Google on this topic:{' '}
        {sources.map(({ href, text }, index) => (
          <span key={href}>
            {index > 0 && ', '}
            <ExternalLink href={href}>{text}</ExternalLink>
          </span>
        ))}
      </p>
    </section>
  );
}

/** Returns the answers if every question has one. */
function toComplete({ manualAction, boughtLinks, suddenDrop }: Partial<DisavowAnswers>): DisavowAnswers | undefined {
  return manualAction && boughtLinks && suddenDrop ? { manualAction, boughtLinks, suddenDrop } : undefined;
}
