import type { Domain, DomainInput, RiskLevel } from '#shared/domains.ts';

/** What the fields of the form hold: text everywhere, numbers as their field gives them. */
export interface DomainFormValues {
  domain: string;
  source: string;
  description: string;
  riskLevel: RiskLevel | '';
  sourceDetails: string;
  notes: string;
  niche: string;
  cost: string;
  domainRating: number | string;
  outboundLinks: number | string;
}

export const emptyValues: DomainFormValues = {
  domain: '',
  source: '',
  description: '',
  riskLevel: '',
  sourceDetails: '',
  notes: '',
  niche: '',
  cost: '',
  domainRating: '',
  outboundLinks: '',
};

export function valuesOf(domain: Domain): DomainFormValues {
  return {
    domain: domain.domain,
    source: domain.source ?? '',
    description: domain.description ?? '',
    riskLevel: domain.riskLevel,
    sourceDetails: domain.sourceDetails ?? '',
    notes: domain.notes ?? '',
    niche: domain.niche ?? '',
    cost: domain.cost ?? '',
    domainRating: domain.domainRating ?? '',
    outboundLinks: domain.outboundLinks ?? '',
  };
}

/** What is sent: blanks as null. */
export function inputOf(values: DomainFormValues): DomainInput {
  return {
    domain: values.domain.trim(),
    source: values.source.trim(),
    description: textOf(values.description),
    riskLevel: values.riskLevel || null,
    sourceDetails: textOf(values.sourceDetails),
    notes: textOf(values.notes),
    niche: textOf(values.niche),
    cost: textOf(values.cost),
    domainRating: numberOf(values.domainRating),
    outboundLinks: numberOf(values.outboundLinks),
  };
}

function textOf(text: string): string | null {
  return text.trim() || null;
}

function numberOf(value: number | string): number | null {
  return value === '' ? null : Number(value);
}
