// A process of its own that takes a lock and holds it until its input ends. Prints what came of it.
import { takeLock } from '../../src/engine/lock.ts';

const taken = await takeLock(process.argv[2] ?? '');
process.stdout.write(`${'lock' in taken ? 'taken' : JSON.stringify(taken.holder)}\n`);
process.stdin.resume().once('end', () => process.exit(0));
