import { t } from 'i18next';
import type { Problem } from '../lib/problem';
import { common } from './en/common';

/** Problems without a message of the server. */
type OwnCode = keyof (typeof common)['problems'];

/** What happened and what to do: the server's message, in the language of the page, or ours. */
export function problemText(problem: Problem): { message: string; action: string } {
  // The message about a field says more than that the input is invalid.
  const inFields = Object.values(problem.fields);
  if (inFields.length > 0) return { message: inFields.join(' '), action: '' };
  if (problem.message !== '') return { message: problem.message, action: problem.action };
  const code = Object.hasOwn(common.problems, problem.code) ? (problem.code as OwnCode) : 'unexpected';
  return { message: t(`problems.${code}.message`), action: t(`problems.${code}.action`) };
}
