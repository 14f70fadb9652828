import { t } from 'i18next';
import type { Problem } from '../lib/problem';
import type { common } from './en/common';

/** Problems that no server could put into words. */
type OwnCode = keyof (typeof common)['problems'];

const ownCodes = { not_loaded: true, offline: true, unreachable: true, unexpected: true } as const satisfies Record<
  OwnCode,
  true
>;

/** What happened and what to do. The server says it in the page's language; for the rest the words are ours. */
export function problemText(problem: Problem): { message: string; action: string } {
  // Where no field of the page is there to say it: what is wrong with one says more than that something is.
  const inFields = Object.values(problem.fields);
  if (inFields.length > 0) return { message: inFields.join(' '), action: '' };
  if (problem.message !== '') return { message: problem.message, action: problem.action };
  const code = problem.code in ownCodes ? (problem.code as OwnCode) : 'unexpected';
  return { message: t(`problems.${code}.message`), action: t(`problems.${code}.action`) };
}
