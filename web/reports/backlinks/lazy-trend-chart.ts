import { lazyPart } from '../../platform/load-part.ts';

export const TrendChart = lazyPart(() => import('./trend-chart.tsx'), 'TrendChart');
