import type { Ask, Requests } from '../../../src/protocol.ts';

const ASK: Ask = { target: '/w/f.py', flags: { scorer: 'python3 s.py', attempts: 3, stages: [{ scorer: ['a', 'b'], threshold: 1 }] }, settings: {}, env: { PATH: '/bin' }, seed: 1, seen: 'abc', python: 'python' };
const HASH = 'a'.repeat(64);

/** One of each that is right. */
export const RIGHT: { readonly [M in keyof Requests]: Requests[M]['params'] } = {
  'ratchet/page': ASK,
  'ratchet/try': { ...ASK, text: 'A = 1\n' },
  'ratchet/check': { ...ASK, repeated: 'said', again: true },
  'ratchet/new-scorer': { target: '/w/f.py', kind: 'checks', env: {} },
  'ratchet/start': { ...ASK, apiKey: 'k', detached: true },
  'ratchet/runs': {},
  'ratchet/watch': { run: '20260101-000000-aaaaaa' },
  'ratchet/text': { blob: HASH },
  'ratchet/stop': { run: 'x' },
  'ratchet/pause': { run: 'x' },
  'ratchet/resume': { run: 'x' },
  'ratchet/resume-page': { run: 'x', env: {}, python: 'python' },
  'ratchet/resume-ended': { run: 'x', env: {}, seen: 'abc', apiKey: 'k', detached: true },
  'ratchet/allow': { target: 'f.py', allow: ['net'], sandbox: 'off' },
  'ratchet/retire': {},
  'ratchet/accepted': { run: 'x', attempt: 1, text: '' },
  'ratchet/keep': { run: 'x', attempt: 0 },
  'ratchet/unsaved': { path: '/w/f.py' },
};
export const METHODS = Object.keys(RIGHT) as readonly (keyof Requests)[];
