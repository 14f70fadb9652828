import { CircleUser, FileText, Info, Keyboard, KeyRound, type LucideIcon, ShieldCheck, SunMoon } from 'lucide-react';
import type { settings } from '@/shared/i18n/en/settings';

export type Section = keyof (typeof settings)['sections'];

/** The sections in their order, with their icons. */
export const sections = {
  appearance: SunMoon,
  keyboard: Keyboard,
  feeds: FileText,
  account: CircleUser,
  'sign-in': ShieldCheck,
  tokens: KeyRound,
  about: Info,
} as const satisfies Record<Section, LucideIcon>;

export function isSection(name: string): name is Section {
  return Object.hasOwn(sections, name);
}
