/** The widest window of each layout. Styles use them as custom media: `@media (--phone)` and `@media not (--phone)`. */
export const maxWidths = { phone: '36em', tablet: '48em', narrow: '62em', laptop: '80em' };
