import type { Trial } from './trial.ts';
import { admin, withServer } from './with-server.ts';

const attackers = 300;
const addresses = 3000;
const signIns = 15;
const allowedMs = 15_000;

/** Wrong sign-ins must not turn real users away. */
export const wrongSignInsTrial: Trial = {
  name: 'wrong-sign-ins',
  fault: `${attackers} clients at ${addresses.toLocaleString('en')} addresses send wrong sign-ins without a pause`,
  promise: `Real users sign in within ${allowedMs / 1000} s, and none is turned away`,
  run: () =>
    withServer(
      async (server) => {
        const send = async (address: string, username: string, password: string) => {
          const start = performance.now();
          const response = await fetch(`${server.address}/api/auth/login`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'sec-fetch-site': 'same-origin',
              'x-forwarded-for': address,
              'x-forwarded-proto': 'https',
            },
            body: JSON.stringify({ username, password }),
          });
          await response.text();
          return { status: response.status, ms: performance.now() - start };
        };
        const known = '192.0.2.1';
        await send(known, admin.username, admin.password);
        let isOver = false;
        let next = 0;
        const attacks: number[] = [];
        const flood = Array.from({ length: attackers }, async () => {
          while (!isOver) {
            next += 1;
            const n = next % addresses;
            const { status } = await send(`10.1.${n >> 8}.${n & 255}`, `nobody-${next}`, 'wrong password');
            attacks.push(status);
          }
        });
        await new Promise((resolve) => setTimeout(resolve, 3000));
        const [fromKnown, fromNew]: [number[], number[]] = [[], []];
        const refused: number[] = [];
        for (let i = 0; i < signIns; i += 1) {
          for (const [address, times] of [
            [known, fromKnown],
            [`192.0.2.${100 + i}`, fromNew],
          ] as const) {
            const { status, ms } = await send(address, admin.username, admin.password);
            times.push(ms);
            if (status !== 200) refused.push(status);
          }
        }
        isOver = true;
        await Promise.all(flood);
        const describe = (times: number[]) =>
          `median ${(getMedian(times) / 1000).toFixed(1)} s, slowest ${(Math.max(...times) / 1000).toFixed(1)} s`;
        const figures = `${refused.length} of ${signIns * 2} refused; known network ${describe(fromKnown)}; new network ${describe(fromNew)}; ${attacks.length} wrong sign-ins`;
        if (refused.length > 0 || Math.max(...fromKnown, ...fromNew) > allowedMs) throw new Error(figures);
        return figures;
      },
      { TRUST_PROXY: '1' },
    ),
};

function getMedian(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
