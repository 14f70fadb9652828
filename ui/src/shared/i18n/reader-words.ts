import { reader as en } from './en/reader';
import { addWords } from './i18n';
import { reader as ja } from './ja/reader';

addWords('reader', { en, ja });
