export { engineEnvironment } from '../wire/environment.ts';
