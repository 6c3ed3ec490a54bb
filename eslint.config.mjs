import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** Forbids imports by pattern, with the reason. */
const wall = (patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });
const noVscode = { group: ['vscode'], message: 'vscode only under src/editor.' };
const noIo = {
  group: ['node:*', '!node:crypto', 'fs', 'child_process', 'net', 'http', 'https', 'os', 'path', 'process'],
  message: 'No I/O here: pure functions on plain data.',
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'test/fixtures/', 'test/cases/', 'examples/', '.test-out/', '.vscode-test/', 'media/*', '!media/scorers/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A property that is taken off by its name.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
    },
  },
  { files: ['**/*.mjs'], extends: [tseslint.configs.disableTypeChecked], rules: { 'import-x/no-default-export': 'off' } },
  {
    files: ['src/records.ts', 'src/records/**', 'src/protocol.ts', 'src/contributions.ts', 'src/model-server.ts', 'src/loop/**', 'src/search/**'],
    rules: {
      ...wall([noVscode, noIo, { group: ['**/engine/**', '**/editor/**', '**/cli/**', '**/wire/**', '**/language/**'], message: 'Data runs one way: left imports nothing from the right.' }]),
      'no-restricted-globals': ['error', 'process', 'setTimeout', 'setInterval', 'fetch', 'performance'],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }, { object: 'Date', property: 'now' }],
      'no-restricted-syntax': ['error', { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Time is handed in.' }],
    },
  },
  { files: ['src/engine/**', 'src/language/**'], rules: wall([noVscode, { group: ['**/editor/**', '**/cli/**'], message: 'The engine knows no client.' }]) },
  { files: ['src/wire/**'], rules: wall([noVscode, { group: ['**/engine/**', '**/editor/**', '**/cli/**'], message: 'What clients and engine share knows neither.' }]) },
  { files: ['src/cli/**'], rules: wall([noVscode, { group: ['**/editor/**'], message: 'One client knows nothing of the other.' }]) },
  {
    files: ['src/editor/**'],
    ignores: ['src/editor/messages.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'MemberExpression[property.name=/^show(Information|Warning|Error)Message$/]', message: 'Notices make links of what they quote: use messages.ts.' },
        { selector: 'NewExpression[callee.name=MarkdownString], Property[key.name=/^(isTrusted|supportHtml|enableScripts|enableCommandUris)$/], AssignmentExpression > MemberExpression.left[property.name=/^(isTrusted|supportHtml)$/]', message: 'What is shown is text: no Markdown, no HTML, no links that are commands.' },
      ],
    },
  },
  { files: ['src/editor/**'], rules: wall([{ group: ['**/engine/**', '**/cli/**'], message: 'Engine and editor meet in protocol.ts and records.ts alone.' }]) },
  { files: ['test/**/*.ts', 'bench/**/*.ts'], rules: { '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', name: ['describe', 'it', 'suite', 'test'], package: 'mocha' }] }] } },
);
