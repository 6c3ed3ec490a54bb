/**
 * Programs that call a scoring module. Both take two arguments, the module's file and the candidate, and write JSON to
 * RATCHET_RESULT: an object as it is, a number as {"score": N}, and NaN and infinities as those bare words, which the
 * reader knows and refuses. What is wrong with the module is one sentence on standard error and exit code 1; what the
 * module itself throws keeps its stack trace.
 */

/** For `node --input-type=module -e`. It ends the process: a module may leave servers and timers behind. */
export const NODE_RUNNER = String.raw`
import { existsSync, writeFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

const [file, target] = process.argv.slice(1);
const name = basename(file);
const wanted = 'it must return a number, or an object like {score: 40}.';
const fail = (sentence) => {
  writeSync(2, sentence + '\n');
  process.exit(1);
};

if (process.env.RATCHET_RESULT === undefined) fail('RATCHET_RESULT is not set: it names the file for the result.');
if (!existsSync(file)) fail('The scoring module ' + file + ' does not exist.');
const module = await import(pathToFileURL(file).href);
const score = typeof module.default === 'function' ? module.default : module.default?.default;
if (typeof score !== 'function') fail(name + ' has no default export that is a function: write "export default function score(path) { ... }".');

const given = await score(target);
const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
if (!isObject && typeof given !== 'number') {
  const what = typeof given === 'string' ? 'the text ' + JSON.stringify(given.slice(0, 80)) : Array.isArray(given) ? 'a list' : typeof given === 'function' ? 'a function' : String(given);
  fail(name + ' returned ' + what + '; ' + wanted);
}
const marked = (key, value) => (typeof value === 'number' && !Number.isFinite(value) ? '\u0000' + value : value);
const text = JSON.stringify(isObject ? given : { score: given }, marked).replace(/"\\u0000(-?(?:NaN|Infinity))"/g, '$1');
writeFileSync(process.env.RATCHET_RESULT, text);
process.exit(0);
`;

/** For `python -c`. Any number serves, those of numpy and torch too; text is none. */
export const PYTHON_RUNNER = String.raw`
import importlib.util, json, os, sys

file, target = sys.argv[1], sys.argv[2]
name = os.path.basename(file)
wanted = 'score(path) must return a number, or a dict like {"score": 40}.'
result = os.environ.get("RATCHET_RESULT")
if result is None:
    sys.exit("RATCHET_RESULT is not set: it names the file for the result.")
if not os.path.isfile(file):
    sys.exit(f"The scoring module {file} does not exist.")

# A cache that Python would take for the next candidate, if that has the same size and second.
sys.dont_write_bytecode = True
if sys.path and sys.path[0] == "":
    del sys.path[0]
sys.path.insert(0, os.path.dirname(file))
sys.argv = [file]
spec = importlib.util.spec_from_file_location(os.path.splitext(name)[0], file)
module = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = module
spec.loader.exec_module(module)
score = getattr(module, "score", None)
if not callable(score):
    sys.exit(f'{name} has no function score: write "def score(path):" at its top level.')

given = score(target)
if not isinstance(given, dict):
    if isinstance(given, (bool, str, bytes, bytearray)) or not hasattr(type(given), "__float__"):
        sys.exit(f"{name} returned {repr(given)[:80]}; {wanted}")
    try:
        given = {"score": float(given)}
    except Exception as error:
        sys.exit(f"{name} returned {type(given).__name__}, which is no number ({error}); {wanted}")
text = json.dumps(given, default=float)
with open(result, "w", encoding="utf-8") as out:
    out.write(text)
`;
