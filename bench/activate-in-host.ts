// The part of bench/activate.ts that runs inside the extension host.
import type { TestApi } from '../src/editor/test-api.ts';
import { handOver } from '../test/host/result.ts';
import { testApi } from '../test/host/suites/support.ts';

export type Activation = TestApi['activate'];

/** Called by the editor. */
export async function run(): Promise<void> {
  const { activate } = await testApi();
  handOver(activate);
}
