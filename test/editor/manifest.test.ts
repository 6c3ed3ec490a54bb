import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { COMMANDS, CONTEXT_KEYS, SETTINGS, VIEWS } from '../../src/contributions.ts';
import { OPTIONS, type OptionInfo } from '../../src/loop/options.ts';

interface Menu {
  readonly command: string;
  readonly when: string;
}
interface Setting {
  readonly scope: string;
  readonly default: unknown;
  readonly markdownDescription: string;
}
interface Manifest {
  readonly icon: string;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly enablement?: string }[];
    readonly menus: Readonly<Record<string, readonly Menu[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly when: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const words = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;
const { contributes } = manifest;
const sorted = (values: Iterable<string>): readonly string[] => [...new Set(values)].sort();

describe('package.json and src/contributions.ts', () => {
  it('declare the same commands, each in a menu that exists', () => {
    assert.deepEqual(sorted(contributes.commands.map(({ command }) => command)), sorted(Object.values(COMMANDS)));
    for (const { command } of Object.values(contributes.menus).flat()) assert.ok(Object.values<string>(COMMANDS).includes(command), command);
  });

  it('declare the same settings, with a sentence and a scope each', () => {
    const { properties } = contributes.configuration;
    assert.deepEqual(sorted(Object.keys(properties)), sorted(Object.values(SETTINGS)));
    for (const [id, { scope }] of Object.entries(properties)) assert.match(scope, /^(machine|machine-overridable|resource)$/, id);
    assert.equal(properties[SETTINGS.baseUrl]?.scope, 'machine');
    assert.deepEqual(sorted(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations), sorted([SETTINGS.baseUrl, SETTINGS.model, SETTINGS.proposer]));
  });

  it('know every setting that an option of program.md names', () => {
    const named = Object.values<OptionInfo>(OPTIONS).flatMap(({ setting }) => setting ?? []);
    assert.deepEqual(sorted([...named, SETTINGS.baseUrl]), sorted(Object.values(SETTINGS)));
  });

  it('declare the same views', () => {
    assert.deepEqual(contributes.views[VIEWS.container]?.map(({ id }) => id), [VIEWS.runs]);
    for (const { view } of contributes.viewsWelcome) assert.equal(view, VIEWS.runs);
  });

  it('use the same context keys', () => {
    const clauses = [...Object.values(contributes.menus).flat(), ...contributes.viewsWelcome].map(({ when }) => when)
      .concat(contributes.commands.map(({ enablement }) => enablement ?? ''));
    const used = clauses.flatMap((clause) => clause.match(/(?<![\w.'"=] ?== )\bratchet\.\w+/g) ?? []).filter((id) => id !== VIEWS.runs);
    assert.deepEqual(sorted(used), sorted(Object.values(CONTEXT_KEYS)));
  });

  it('offer no start, check, script or resumption in menus of a folder that is not trusted', () => {
    const needTrust: readonly string[] = [COMMANDS.autoresearch, COMMANDS.check, COMMANDS.newScorer, COMMANDS.resume];
    for (const [place, menus] of Object.entries(contributes.menus))
      for (const { command, when } of menus) if (needTrust.includes(command)) assert.match(when, /isWorkspaceTrusted/, `${command} in ${place}`);
    assert.match(contributes.commands.find(({ command }) => command === COMMANDS.resume)?.enablement ?? '', /isWorkspaceTrusted/);
  });

  it('have words for every key, and no words without one', () => {
    const keys = [...text.matchAll(/%([\w.]+)%/g)].map(([, key]) => key ?? '');
    assert.deepEqual(sorted(keys), sorted(Object.keys(words)));
  });

  it('name pictures that exist', () => {
    for (const picture of [manifest.icon, ...Object.values(contributes.views).flat().map(({ icon }) => icon)]) assert.ok(existsSync(picture), picture);
  });
});
