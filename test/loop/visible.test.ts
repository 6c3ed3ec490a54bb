import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainMessage, visible } from '../../src/loop/visible.ts';

describe('foreign text on a screen', () => {
  it('shows what a terminal would obey, and what turns its direction around', () => {
    assert.equal(visible('\u001b]8;;command:x\u0007a\u009b2J'), '<U+001B>]8;;command:x<U+0007>a<U+009B>2J');
    assert.equal(visible('if admin: \u202e # \u2066nobody\u2069\u200f\u061c'), 'if admin: <U+202E> # <U+2066>nobody<U+2069><U+200F><U+061C>');
    assert.equal(visible('100 %\rscore: 0\0'), '100 %<U+000D>score: 0<U+0000>');
  });

  it('leaves lines, tabs and letters of all scripts as they are', () => {
    for (const text of ['a\tb\nc\r\nd', 'שלום مرحبا', 'क्‍ष', '👩‍👩‍👧', 'é € \u00a0']) assert.equal(visible(text), text);
  });

  it('holds nothing that is obeyed, whatever it was', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.doesNotMatch(visible(text).replaceAll('\r\n', ''), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)));
  });

  it('is no link in a notice', () => {
    // As the editor finds links in a message.
    const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
    const evil = 'open [the log](command:workbench.action.terminal.new) now';
    assert.match(evil, link);
    assert.equal(plainMessage(evil), 'open [the log] (command:workbench.action.terminal.new) now');
    fc.assert(fc.property(fc.array(fc.constantFrom('[', ']', '(', ')', 'command:x', 'https://x', 'a', ' ', '\n', '\u200b', '\u202e', '"')), (parts) => assert.doesNotMatch(plainMessage(parts.join('')), link)));
  });
});
