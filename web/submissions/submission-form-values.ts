import { hostOfPasted } from './host-of-pasted.ts';

/** What the fields of the form hold: text everywhere, the rating as its field gives it. */
export interface SubmissionFormValues {
  domain: string;
  evidence: string;
  source: string;
  cost: string;
  niche: string;
  domainRating: number | string;
  additionalNotes: string;
}

export const emptyValues: SubmissionFormValues = {
  domain: '',
  evidence: '',
  source: '',
  cost: '',
  niche: '',
  domainRating: '',
  additionalNotes: '',
};

/** What is sent: the host of a pasted address, and no rating where none was given. */
export function inputOf({ domainRating, additionalNotes, ...values }: SubmissionFormValues) {
  return {
    ...values,
    domain: hostOfPasted(values.domain),
    ...(domainRating !== '' && { domainRating }),
    ...(additionalNotes.trim() && { additionalNotes }),
  };
}
