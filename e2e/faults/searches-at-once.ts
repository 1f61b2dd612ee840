import { addDomains, connectToDatabase } from './server-database.ts';
import type { Trial } from './trial.ts';
import { post, signIn, withServer } from './with-server.ts';

const domains = 300_000;
const searches = 60;
const seconds = 8;
/** The load itself costs time on two cores. */
const allowedFactor = 3;
/** Below this time, nobody notices a factor. */
const unnoticedMs = 50;

/** Searches of one user must not slow another. */
export const searchesAtOnceTrial: Trial = {
  name: 'searches-at-once',
  fault: `One user sends ${searches} searches at the same time for ${seconds} s, among ${domains.toLocaleString('en')} domains`,
  promise: `Lists of another user take at most ${allowedFactor} times as long as on an idle server, or ${unnoticedMs} ms (median)`,
  run: () =>
    withServer(async (server) => {
      const database = await connectToDatabase(server);
      await addDomains(database, domains);
      await database.end();
      const cookie = await signIn(server);
      const other = { username: 'other', email: 'other@mail.example', password: 'another long secret' };
      const registered = await post(server, '/api/auth/register', other);
      if (registered.status !== 201) throw new Error(`Registering returned ${registered.status}.`);
      const otherCookie = await signIn(server, other);

      const list = async (path: string, as: string) => {
        const start = performance.now();
        const response = await fetch(`${server.address}${path}`, { headers: { cookie: as } });
        await response.text();
        return { status: response.status, ms: performance.now() - start };
      };
      const measure = async () => {
        const times: number[] = [];
        const end = performance.now() + (seconds * 1000) / 2;
        while (performance.now() < end) {
          const { status, ms } = await list('/api/domains?tld=example&riskLevel=high', otherCookie);
          if (status !== 200) throw new Error(`The list of the other user returned ${status}.`);
          times.push(ms);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return getMedian(times);
      };
      await measure();
      const idle = await measure();
      let isOver = false;
      const statuses: number[] = [];
      const flood = Array.from({ length: searches }, async (_, i) => {
        for (let n = 0; !isOver; n += 1) {
          const { status } = await list(`/api/domains?search=${'shop-'}${(i * 37 + n) % 16}&sort=cost-asc`, cookie);
          statuses.push(status);
          // A client that is refused waits before it tries again.
          if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 500));
        }
      });
      const loaded = await measure();
      isOver = true;
      await Promise.all(flood);
      const found = statuses.filter((status) => status === 200).length;
      const figures = `median ${idle.toFixed(0)} ms idle, ${loaded.toFixed(0)} ms under load; ${found} of ${statuses.length} searches answered`;
      if (loaded > Math.max(unnoticedMs, idle * allowedFactor)) throw new Error(figures);
      return figures;
    }),
};

function getMedian(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
