import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { DocPage } from '../../ui/doc-page.tsx';
import styles from './legal-page.module.css';

export interface LegalSection {
  /** The anchor of the section. */
  id: string;
  title: string;
  body: ReactNode;
}

interface Props {
  title: string;
  lead: string;
  lastUpdated: string;
  sections: readonly LegalSection[];
  /** Numbers the sections, so that other texts can cite them. */
  numbered?: boolean;
}

/** A legal text with a table of contents. Its sections have anchors, and it prints well. */
export function LegalPage({ title, lead, lastUpdated, sections, numbered = false }: Props) {
  const titleOf = (index: number, text: string) => (numbered ? `${index + 1}. ${text}` : text);
  return (
    <DocPage
      head={
        <>
          <h1>{title}</h1>
          <p className={styles.updated}>Last updated: {lastUpdated}</p>
          <p className={styles.lead}>{lead}</p>
        </>
      }
      parts={sections.map(({ id, title }, index) => ({ id, title: titleOf(index, title) }))}
      className={styles.text}
    >
      {sections.map(({ id, title, body }, index) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`}>{titleOf(index, title)}</h2>
          {body}
        </section>
      ))}
      <Link to={paths.home} className={styles.home}>
        <ArrowLeft size={15} aria-hidden />
        Return to Home
      </Link>
    </DocPage>
  );
}
