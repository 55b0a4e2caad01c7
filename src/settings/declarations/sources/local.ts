import { fromHome } from '../../../base/home-folder.js';
import { declareSource } from './source-declaration.js';

export const localDeclaration = declareSource({ type: 'local', section: undefined, root: fromHome, rules: [] });
