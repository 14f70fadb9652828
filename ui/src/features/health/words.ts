import { health as en } from '@/shared/i18n/en/health';
import { addWords } from '@/shared/i18n/i18n';
import { health as ja } from '@/shared/i18n/ja/health';

addWords('health', { en, ja });
