import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const answer = v.object({ sandbox: v.optional(v.picklist(['auto', 'required', 'off'])), allow: v.optional(v.array(v.string())) });
const answers = v.record(v.string(), answer);

/** What a person answered when a scorer needed more than its confinement gave it. */
export type Answer = v.InferOutput<typeof answer>;

/**
 * The answers of one root by target (relative to it, with `/`). `folder`: the root's runtime folder, which is the
 * user's: what a workspace brings along opens nothing.
 */
export class AllowedAnswers {
  private readonly path: string;
  private queue: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.path = join(folder, 'allowed.json');
  }

  async of(target: string): Promise<Answer> {
    return (await this.all())[target] ?? {};
  }

  /** What is allowed joins what was allowed before. */
  add(target: string, answered: { readonly sandbox?: 'off'; readonly allow?: readonly string[] }): Promise<void> {
    const added = this.queue.then(() => this.write(target, answered));
    // One that failed is its caller's; the next is tried all the same.
    this.queue = added.catch(() => undefined);
    return added;
  }

  private async write(target: string, { sandbox, allow = [] }: { readonly sandbox?: 'off'; readonly allow?: readonly string[] }): Promise<void> {
    const all = await this.all();
    const before = all[target] ?? {};
    const next: Answer = { ...before, ...(sandbox === undefined ? {} : { sandbox }), allow: [...new Set([...(before.allow ?? []), ...allow])] };
    const draft = `${this.path}.${randomUUID()}`;
    await writeFile(draft, JSON.stringify({ ...all, [target]: next }), { mode: 0o600 });
    await rename(draft, this.path);
  }

  private async all(): Promise<Readonly<Record<string, Answer>>> {
    try {
      const read = v.safeParse(answers, JSON.parse(await readFile(this.path, 'utf8')));
      return read.success ? read.output : {};
    } catch {
      return {};
    }
  }
}
