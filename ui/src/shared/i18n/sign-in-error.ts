import { t } from 'i18next';
import { common } from './en/common';

type Code = keyof (typeof common)['signInErrors'];

/** The message for an error code in the address. Anyone can write an address: unknown codes have a general message. */
export function signInErrorText(code: string): string {
  return t(`signInErrors.${Object.hasOwn(common.signInErrors, code) ? (code as Code) : 'other'}`);
}
