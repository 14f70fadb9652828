import { useTranslation } from 'react-i18next';
import type { health } from '@/shared/i18n/en/health';

type Known = keyof (typeof health)['kinds'];

/** What a kind of job does, in words; one that is newer than this page is called by its own name. */
export function useKindName(): (kind: string) => string {
  const { t } = useTranslation('health');
  return (kind) => t(`kinds.${kind as Known}`, { defaultValue: kind });
}
