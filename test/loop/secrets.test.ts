import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskOf, maskPrinted, maskSecrets } from '../../src/loop/secrets.ts';
import { HARMLESS, SECRETS } from './secrets/samples.ts';

describe('secrets in what a program printed', () => {
  it('are masked, each known format, wherever it stands', () => {
    for (const [name, secret, core = secret.slice(-12)] of SECRETS)
      for (const text of [secret, `x = "${secret}"`, `Error: ${secret}, try again`, `a\n${secret}\nb`, `{"key":"${secret}"}`, `(${secret})`, `k=${secret};`]) {
        const masked = maskSecrets(text);
        assert.ok(masked.includes('[masked: '), `${name}: ${text}`);
        assert.ok(!masked.includes(core), `${name}: ${masked}`);
      }
  });

  it('are named by what they are, and nothing else is lost', () => {
    assert.equal(maskSecrets('before AKIAIOSFODNN7EXAMPLE after'), 'before [masked: AWS key] after');
    assert.equal(maskSecrets('Authorization: Bearer abcdef0123456789abcd\nok'), 'Authorization: Bearer [masked: authorization]\nok');
    assert.equal(maskSecrets('postgres://ann:hunter2@db:5432/x'), 'postgres://ann:[masked: password]@db:5432/x');
    assert.equal(maskSecrets('export MY_SERVICE_API_KEY="a1b2c3d4e5f6a7b8c9"'), 'export MY_SERVICE_API_KEY="[masked: secret]"');
    assert.equal(maskSecrets('-----BEGIN RSA PRIVATE KEY-----\r\nMIIEpAIBAAKCAQEA0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL\r\nAb==\r\n-----END RSA PRIVATE KEY-----\r\nscore: 5'), '[masked: private key]\r\nscore: 5');
  });

  it('are looked for in one walk: what begins like one again and again is not read again and again', () => {
    // Each would take minutes.
    for (const beginning of ['eyJ-', 'eyJ', '-----BEGIN PRIVATE KEY-----\n', 'sk-ant-', 'xoxb-', 'Bearer a1', 'https://a:', 'A_KEY=a1-', 'ghp_']) {
      const text = beginning.repeat(2 ** 23 / beginning.length);
      assert.ok(maskSecrets(text).length > 0);
    }
  });

  it('are not seen in hashes, uuids, numbers and ordinary code and logs', () => {
    for (const text of HARMLESS) assert.equal(maskSecrets(text), text);
  });

  it('are not seen in the project\'s own code', async () => {
    const { readdir, readFile } = await import('node:fs/promises');
    for (const entry of await readdir('src', { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        const text = await readFile(`${entry.parentPath}/${entry.name}`, 'utf8');
        assert.equal(maskSecrets(text), text, entry.name);
      }
  });

  it('are found in hexadecimal, digits and words of any length never', () => {
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 1, maxLength: 128 });
    const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_ABC'), minLength: 1, maxLength: 30 });
    fc.assert(fc.property(fc.array(fc.oneof(hex, word, fc.uuid(), fc.double().map(String), fc.date({ noInvalidDate: true }).map((date) => date.toISOString()))), fc.constantFrom(' ', '\n', ': ', '/', '-', ', '), (words, between) => {
      const text = words.join(between);
      assert.equal(maskSecrets(text), text);
    }));
  });

  it('stay masked: a second time changes nothing', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fc.constantFrom(...SECRETS.map(([, secret]) => secret)), fc.string({ maxLength: 20 })), { maxLength: 6 }), (parts) => {
      const once = maskSecrets(parts.join(' '));
      assert.equal(maskSecrets(once), once);
    }));
  });

  it('of the environment are masked by their value, as JSON and addresses write it too', () => {
    const mask = maskOf(['pa ss"word-of-ann', 'hunter22', 'plainwordsecret']);
    assert.equal(mask('it is pa ss"word-of-ann!'), 'it is [masked: secret]!');
    assert.equal(mask(JSON.stringify({ p: 'pa ss"word-of-ann' })), '{"p":"[masked: secret]"}');
    assert.equal(mask('?p=pa%20ss%22word-of-ann&x'), '?p=[masked: secret]&x');
    assert.equal(mask('hunter22plainwordsecret'), '[masked: secret][masked: secret]');
  });

  it('of the environment that are short, words, numbers or paths mask nothing', () => {
    const values = ['', '1', 'true', 'yes', 'postgres', 'hunter2', '12345678901234', '127.0.0.1:8080', '/run/user/1000/agent.sock', '~/.ssh/id', 'C:\\keys\\id', ' padded 123456 '];
    const text = `score: 1 true yes postgres hunter2 ${values.join(' ')}`;
    assert.equal(maskOf(values)(text), text);
  });

  it('are masked the longest first, where one value holds another', () => {
    assert.equal(maskOf(['abcdefgh1234', 'abcdefgh1234-and-more'])('abcdefgh1234-and-more'), '[masked: secret]');
  });

  it('that the middle of a long output tore lose the half that is left', () => {
    const torn = 'a ghp_0123456789abcd[… 5000 bytes left out …]efghijklmnopqrstuvwxyz b';
    assert.equal(maskPrinted(torn, 5000, maskSecrets), 'a [… 5000 bytes left out …] b');
    assert.equal(maskPrinted(torn, 0, maskSecrets), torn, 'nothing was left out: the program printed that itself');
    const line = 'MIIEpAIBAAKCAQEA0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL';
    const head = `x\n-----BEGIN PRIVATE KEY-----\n${line}\n${line}\nMIIEpAIB`;
    const tail = `0123\n${line}\n${line}\nAb=\n-----END PRIVATE KEY-----\nscore: 5`;
    const cut = '[… 90000 bytes left out …]';
    assert.equal(maskPrinted(`${head}${cut}score: 5`, 90_000, maskSecrets), `x\n[masked: private key]\n${cut}score: 5`);
    assert.equal(maskPrinted(`x\n${cut}${tail}`, 90_000, maskSecrets), `x\n${cut}0123\n[masked: private key]\nscore: 5`);
    assert.equal(maskPrinted(`${head}${cut}${tail}`, 90_000, maskSecrets), 'x\n[masked: private key]\nscore: 5');
  });

  it('cost no more than a text\'s length, whatever is made to fool the search', () => {
    for (const piece of ['eyJ', 'sk-', 'ghp_', '-----BEGIN PRIVATE KEY-----\n', '-----END PRIVATE KEY-----\n', 'a://', 'Bearer ', 'A_TOKEN=', 'eyJaaaaaaaaaa.', `${'A'.repeat(64)}\n`, 'aws_secret_key=', 'A_', 'xox'])
      assert.equal(typeof maskSecrets(piece.repeat(300_000 / piece.length)), 'string');
  });
});
