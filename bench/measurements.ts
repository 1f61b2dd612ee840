import { analyzeMeasurement } from './analyze.ts';
import { checksMeasurement } from './checks.ts';
import { importMeasurement } from './import.ts';
import { loadMeasurement } from './load.ts';
import type { Measurement } from './measurement.ts';
import { pagesMeasurement } from './pages.ts';
import { reportMeasurement } from './report.ts';
import { searchMeasurement } from './search.ts';
import { watchMeasurement } from './watch.ts';

/** All measurements, in the order of the table. */
export const measurements: Measurement[] = [
  analyzeMeasurement,
  importMeasurement,
  searchMeasurement,
  checksMeasurement,
  loadMeasurement,
  pagesMeasurement,
  reportMeasurement,
  watchMeasurement,
];
