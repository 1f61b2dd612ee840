import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { DocPage } from '../ui/doc-page.tsx';
import classes from './legal-page.module.css';

export interface LegalSection {
  /** Its anchor. */
  id: string;
  title: string;
  body: ReactNode;
}

interface Props {
  title: string;
  lead: string;
  lastUpdated: string;
  sections: readonly LegalSection[];
  /** Other lawyers' texts point at sections by number. */
  numbered?: boolean;
}

/** A text to be read once, found again by its anchors, and printed. */
export function LegalPage({ title, lead, lastUpdated, sections, numbered = false }: Props) {
  const titleOf = (index: number, text: string) => (numbered ? `${index + 1}. ${text}` : text);
  return (
    <DocPage
      head={
        <>
          <h1>{title}</h1>
          <p className={classes.updated}>Last updated: {lastUpdated}</p>
          <p className={classes.lead}>{lead}</p>
        </>
      }
      parts={sections.map(({ id, title }, index) => ({ id, title: titleOf(index, title) }))}
      className={classes.text}
    >
      {sections.map(({ id, title, body }, index) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`}>{titleOf(index, title)}</h2>
          {body}
        </section>
      ))}
      <Link to={paths.home} className={classes.home}>
        <ArrowLeft size={15} aria-hidden />
        Return to Home
      </Link>
    </DocPage>
  );
}
