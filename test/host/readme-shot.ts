/** Takes the picture of the README anew: `node test/host/readme-shot.ts`. Compressed, it becomes media/screenshot.png. */
import { openLab, openTrainLab } from './lab.ts';
import { Person } from './person.ts';

const lab = await openTrainLab();
const { code, stderr } = await lab.ratchet('run', 'train.py', '--proposer', 'literals', '--attempts', '12', '--seed', '1', '--yes');
if (code !== 0) throw new Error(stderr);
const editor = await openLab(lab, { settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false, 'editor.occurrencesHighlight': 'off', 'window.commandCenter': false, 'workbench.layoutControl.enabled': false, 'breadcrumbs.enabled': false } });
try {
  const { page } = editor;
  const person = new Person(editor);
  await editor.openFile('train.py');
  await page.locator('.activitybar').getByRole('tab', { name: 'Ratchet' }).click();
  await person.kept();
  // Wide enough for scores and hypotheses.
  const edge = await page.locator('.part.sidebar').boundingBox();
  if (edge === null) throw new Error('There is no side bar.');
  await page.mouse.move(edge.x + edge.width, 400);
  await page.mouse.down();
  await page.mouse.move(560, 400, { steps: 5 });
  await page.mouse.up();
  await editor.command('Ratchet: Show the Best So Far');
  await page.locator('.tab.active', { hasText: 'best so far' }).waitFor();
  await page.locator('.editor-group-container.active .glyph-margin-widgets .cgmr').first().waitFor();
  await person.aside();
  console.log(await editor.screenshot('readme'));
} finally {
  await editor.close();
  await lab.close();
}
