import assert from 'node:assert/strict';
import test from 'node:test';
import { example } from './example.mjs';

test('the words are turned round', () => assert.equal(example('one two'), 'two one'));
