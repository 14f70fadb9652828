import { Problem } from '../api/problem';
import { getConnection, wasLost } from './connection';

/** How long the network is waited for when there is something else to show; less when it is known to be bad. */
const PATIENCE_MS = { online: 4_000, otherwise: 600 };

/** What the server answers or, when it does not or takes too long, what was kept. */
export async function orKept<T>(answer: Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    const patience = getConnection() === 'online' ? PATIENCE_MS.online : PATIENCE_MS.otherwise;
    timer = setTimeout(() => resolve(null), patience);
  });
  try {
    const first = await Promise.race([answer.then((value) => ({ value })), late]);
    if (first) return first.value;
    const kept = await find();
    if (kept === undefined) return await answer;
    // If it comes after all, the connection is back.
    answer.catch(() => {});
    wasLost();
    return kept;
  } catch (problem) {
    const kept = problem instanceof Problem && isOfConnection(problem) ? await find() : undefined;
    if (kept === undefined) throw problem;
    return kept;
  } finally {
    clearTimeout(timer);
  }
}

/** Nobody answered, or only something in between that says so. */
const isOfConnection = ({ status }: Problem) => status === 0 || status === 502 || status === 503 || status === 504;
