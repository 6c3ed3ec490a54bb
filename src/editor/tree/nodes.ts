/** One row of the tree, by what it stands for; what it says is looked up when it is drawn. */
export type TreeNode =
  | { readonly kind: 'run'; readonly run: string }
  | { readonly kind: 'attempt'; readonly run: string; readonly attempt: number }
  | { readonly kind: 'hunk'; readonly run: string; readonly attempt: number; readonly hunk: number };

/** The same for the same row, across refreshes and reloads. */
export function nodeId(node: TreeNode): string {
  switch (node.kind) {
    case 'run': return node.run;
    case 'attempt': return `${node.run}/${node.attempt}`;
    case 'hunk': return `${node.run}/${node.attempt}/${node.hunk}`;
  }
}

/** Gives the same object for the same row: an editor knows rows by their object. */
export class Nodes {
  private readonly known = new Map<string, TreeNode>();

  run(run: string): TreeNode {
    return this.one({ kind: 'run', run });
  }

  attempt(run: string, attempt: number): TreeNode {
    return this.one({ kind: 'attempt', run, attempt });
  }

  hunk(run: string, attempt: number, hunk: number): TreeNode {
    return this.one({ kind: 'hunk', run, attempt, hunk });
  }

  parent(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case 'run': return undefined;
      case 'attempt': return this.run(node.run);
      case 'hunk': return this.attempt(node.run, node.attempt);
    }
  }

  private one(node: TreeNode): TreeNode {
    const id = nodeId(node);
    const known = this.known.get(id) ?? node;
    this.known.set(id, known);
    return known;
  }
}
