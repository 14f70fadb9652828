import '@/shared/i18n/reader-words';
import { watch as en } from '@/shared/i18n/en/watch';
import { addWords } from '@/shared/i18n/i18n';
import { watch as ja } from '@/shared/i18n/ja/watch';

addWords('watch', { en, ja });
