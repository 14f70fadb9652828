import { signIn as en } from '@/shared/i18n/en/sign-in';
import { addWords } from '@/shared/i18n/i18n';
import { signIn as ja } from '@/shared/i18n/ja/sign-in';

addWords('signIn', { en, ja });
