import { extensions, type Uri } from 'vscode';

/** The interpreter that the Python extension has chosen for a file, where that extension is at work. Never starts it. */
export async function chosenPython(file: Uri): Promise<string | undefined> {
  const python = extensions.getExtension('ms-python.python');
  if (python?.isActive !== true) return undefined;
  // Another extension's interface: its shape is looked at step by step.
  const environments = (python.exports as { readonly environments?: unknown } | undefined)?.environments as Environments | undefined;
  const chosen = environments?.getActiveEnvironmentPath?.(file);
  if (typeof chosen?.path !== 'string') return undefined;
  const resolved = await environments?.resolveEnvironment?.(chosen);
  return resolved?.executable?.uri?.fsPath ?? chosen.path;
}

interface Environments {
  readonly getActiveEnvironmentPath?: (file: Uri) => { readonly path?: unknown } | undefined;
  readonly resolveEnvironment?: (path: unknown) => Promise<{ readonly executable?: { readonly uri?: Uri } } | undefined>;
}
