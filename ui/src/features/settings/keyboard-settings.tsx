import { useTranslation } from 'react-i18next';
import { usePreferences } from '@/shared/preferences/storage';
import { useChangePreferences } from '@/shared/preferences/sync';
import { Rows, SwitchRow } from '@/shared/ui/section';

export function KeyboardSettings() {
  const { t } = useTranslation('settings');
  const { shortcuts } = usePreferences();
  const change = useChangePreferences();
  return (
    <Rows>
      <SwitchRow
        title={t('keyboard.title')}
        details={t('keyboard.hint')}
        checked={shortcuts}
        onChange={() => change({ shortcuts: !shortcuts })}
      />
    </Rows>
  );
}
