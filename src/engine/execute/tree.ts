import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import treeKill from 'tree-kill';

/** What tree-kill starts, by platform; `ps` on the others. */
const TOOLS: Partial<Record<NodeJS.Platform, string>> = { win32: 'taskkill.exe', darwin: 'pgrep' };

/**
 * Kills a process and its descendants by asking the system's own tools for them. False where that tool is missing:
 * tree-kill starts it without listening for errors, so a missing one would take the whole engine down.
 */
export async function killTree(pid: number): Promise<boolean> {
  if (!isTool(TOOLS[process.platform] ?? 'ps')) return false;
  // An error means that something could not be killed; the look that follows every kill finds out.
  return new Promise((resolve) => treeKill(pid, 'SIGKILL', () => { resolve(true); }));
}

/** Whether a program of this name is on the engine's own PATH. */
export function isTool(tool: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
