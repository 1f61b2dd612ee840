import { job } from '../jobs/job.ts';
import { type AnalysisTask, runAnalysis } from './run-analysis.ts';

/** The row counts the attempts, because stopping a server must not use them up: the queue itself never gives up. */
export const analysisJob = job<AnalysisTask>({ queue: { name: 'analyses', retryLimit: 1000 }, run: runAnalysis });
