import { t } from 'i18next';
import type { common } from './en/common';

type Code = Exclude<keyof (typeof common)['signInErrors'], 'other'>;

/** Why a provider sends somebody back, by the codes that the server puts into the address. */
const codes = {
  provider_unreachable: true,
  provider_misconfigured: true,
  provider_failed: true,
  provider_forged: true,
  sign_in_refused: true,
  sign_in_expired: true,
  sign_in_mismatch: true,
  sign_up_not_allowed: true,
  registration_closed: true,
  email_taken: true,
  email_not_verified: true,
  identity_taken: true,
  too_many_requests: true,
  sign_in_required: true,
} as const satisfies Record<Code, true>;

/** What a code in the address means. Anybody can write anything there: only words of ours are shown. */
export function signInErrorText(code: string): string {
  return t(`signInErrors.${Object.hasOwn(codes, code) ? (code as Code) : 'other'}`);
}
