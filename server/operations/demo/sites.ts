import type { exportBuilders } from './files.ts';

/** A website of the demo whose reports tell a story. */
export interface DemoSite {
  domain: string;
  tags: readonly string[];
  tool: keyof typeof exportBuilders;
  /** Links of the oldest report. */
  rows: number;
  /** Listed domains that link to the website in several months. */
  sellers: number;
  /** The share of the links that come from them, 0 to 1, for each report, oldest first. */
  listedShare: readonly number[];
  /** What customers of the sellers want to rank for. It is not the name of the website. */
  anchor: string;
  titles: readonly string[];
  /** The newest report combines the exports of two tools. */
  combinesTools?: true;
  /** An earlier agency disavowed domains. */
  hasDisavowFiles?: true;
}

export const sites: readonly DemoSite[] = [
  {
    domain: 'garden-tools.example',
    tags: ['Client: Green & Sons', 'shop'],
    tool: 'ahrefs',
    rows: 1500,
    sellers: 150,
    listedShare: [0.03, 0.04, 0.07, 0.12, 0.09, 0.05],
    anchor: 'cheap lawn mowers',
    titles: ['10 Secrets Your Gardener Will Never Tell You', 'How to Choose the Best Lawn Mower This Year'],
    hasDisavowFiles: true,
  },
  {
    domain: 'city-hotel.test',
    tags: ['Client: Harbour Hotels'],
    tool: 'semrush',
    rows: 1500,
    sellers: 400,
    listedShare: [0.02, 0.06, 0.15, 0.26],
    anchor: 'luxury spa weekend',
    titles: ['Why Everyone Is Talking About Spa Weekends', 'Top Places to Stay on a Budget'],
    combinesTools: true,
  },
  {
    domain: 'harbour-cafe.test',
    tags: ['Client: Harbour Hotels', 'local'],
    tool: 'ahrefs',
    rows: 400,
    sellers: 60,
    listedShare: [0.04, 0.09],
    anchor: 'brunch with a view',
    titles: ['Where to Eat Before Your Next Flight', '12 Breakfasts Worth Getting Up For'],
  },
  {
    domain: 'lake-yoga.example',
    tags: ['Client: Lake Studios'],
    tool: 'semrush',
    rows: 300,
    sellers: 50,
    listedShare: [0.01, 0.02, 0.015],
    anchor: 'online yoga course',
    titles: ['Five Habits of Calm People', 'The Only Stretch You Need'],
  },
];
