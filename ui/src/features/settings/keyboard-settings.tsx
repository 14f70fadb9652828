import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '@/shared/preferences/storage';
import { useChangePreferences } from '@/shared/preferences/sync';
import { Switch } from '@/shared/ui/switch';
import { Setting } from './group';

export function KeyboardSettings() {
  const { t } = useTranslation('settings');
  const id = useId();
  const { shortcuts } = usePreferences();
  const change = useChangePreferences();
  return (
    <Setting label={t('keyboard.title')} htmlFor={id} hint={t('keyboard.hint')} className="flex-nowrap border-t">
      <Switch id={id} isOn={shortcuts} onChange={(shortcuts) => change({ shortcuts })} />
    </Setting>
  );
}
