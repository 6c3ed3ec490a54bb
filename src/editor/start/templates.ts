import { basename, extname } from 'node:path';

/** A scorer to begin with, in the language of the file that it scores. */
export interface Template {
  /** The name that it should get, beside the target. */
  readonly name: string;
  readonly text: string;
}

/** The template for a target (any path of it). It runs as it is; what is right only a person knows. */
export function scorerTemplate(target: string): Template {
  const file = basename(target);
  switch (extname(target)) {
    case '.py':
      return { name: 'score.py', text: PYTHON.replaceAll('FILE', file) };
    case '.js':
    case '.mjs':
    case '.cjs':
    case '.ts':
    case '.mts':
    case '.cts':
      return { name: 'score.mjs', text: NODE.replaceAll('FILE', file) };
    default:
      return { name: 'score.sh', text: SHELL.replaceAll('FILE', file) };
  }
}

const PYTHON = `"""How good is FILE? From 0 to 100, higher is better."""
import runpy


def score(path):
    # path is the candidate: a changed FILE in the place of yours.
    module = runpy.run_path(path)
    checks = [
        # One line for each thing that must hold, for example:
        # module["slug"]("Hello World") == "hello-world",
        "main" in module,
    ]
    return 100 * sum(checks) / len(checks)
`;

const NODE = `// How good is FILE? From 0 to 100, higher is better.
import { pathToFileURL } from 'node:url';

export default async function score(path) {
  // path is the candidate: a changed FILE in the place of yours.
  const module = await import(pathToFileURL(path).href);
  const checks = [
    // One line for each thing that must hold, for example:
    // module.slug('Hello World') === 'hello-world',
    'main' in module,
  ];
  return (100 * checks.filter(Boolean).length) / checks.length;
}
`;

const SHELL = `#!/bin/sh
# How good is FILE? From 0 to 100, higher is better.
# $RATCHET_TARGET is the candidate: a changed FILE in the place of yours.
right=0
total=0
check() {
  total=$((total + 1))
  if "$@" >/dev/null; then right=$((right + 1)); else echo "failed: $*"; fi
}
# One line for each thing that must hold, for example:
# check grep -q 'Hello' "$RATCHET_TARGET"
check test -s "$RATCHET_TARGET"
echo "score: $((100 * right / total))"
`;
