import { settings as en } from '@/shared/i18n/en/settings';
import { addWords } from '@/shared/i18n/i18n';
import { settings as ja } from '@/shared/i18n/ja/settings';

addWords('settings', { en, ja });
