import { welcome as en } from '@/shared/i18n/en/welcome';
import { addWords } from '@/shared/i18n/i18n';
import { welcome as ja } from '@/shared/i18n/ja/welcome';

addWords('welcome', { en, ja });
