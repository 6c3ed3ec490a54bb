import type { StartPage } from '../protocol.ts';
import { duration, describeStop } from '../loop/stop.ts';

/** The page before a run, as text: everything that will happen, and where each part comes from. */
export function startPage(page: StartPage): string {
  const { plan } = page;
  if (plan === undefined) return '';
  const unit = plan.metric.unit === undefined ? '' : ` (${plan.metric.unit})`;
  const stop = describeStop(plan.stop, (ms) => new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }));
  const lines: readonly (readonly [string, string])[] = [
    ['Change', plan.target],
    ['Run', `${page.command ?? ''}\n           in ${page.folder ?? ''} — ${page.why ?? ''}`],
    ['Better is', `${plan.metric.direction} ${plan.metric.name}${unit}`],
    ['Stop', stop === '' ? 'by the time of the first run: after 60 attempts or 30 min where it takes under a minute, else at 08:00 or after 3 h without an improvement' : stop],
    ['Timeout', plan.timeoutMs === undefined ? `of one run: ${plan.trainPy ? 'twice' : 'four times'} the start file's time, at least 10 s` : duration(plan.timeoutMs)],
    ['Proposes', proposer(page)],
    ['Scratch', page.scratch],
    ['Confined', page.confinement],
    ['Your files', 'nothing changes until you accept'],
  ];
  return `${lines.map(([name, text]) => `${name.padEnd(11)}${text}\n`).join('')}\n`;
}

function proposer({ plan, literals }: StartPage): string {
  switch (plan?.proposer.kind) {
    case 'literals':
      return `no model; varies ${literals ?? 'nothing: no number or choice was found'}`;
    case 'replay':
      return `replies from the folder ${plan.proposer.dir}`;
    case 'openai':
      return `model ${plan.proposer.model} at ${plan.proposer.baseUrl}, which sees the file, its output and program.md`;
    case undefined:
      return '';
  }
}

/** The command alone, for one run of the scorer. */
export function scorerPage({ command, folder, why, confinement }: StartPage): string {
  return `Run        ${command ?? ''}\n           in ${folder ?? ''} — ${why ?? ''}\nConfined   ${confinement}\n\n`;
}

/** What is missing before a run, and what was found that could be named. */
export function problemText(page: StartPage): string {
  const offers = page.offers.map((offer) => `  --score ${JSON.stringify(offer.scorer)}   (${offer.why}, in ${offer.folder})`);
  const varied = page.literals === undefined ? [] : [`  --proposer literals could vary ${page.literals}.`];
  const wantsScorer = page.problems.some((problem) => problem.key === 'scorer');
  const wantsProposer = page.problems.some((problem) => problem.key === 'proposer');
  return [
    ...page.problems.map((problem) => problem.message),
    ...(wantsScorer && offers.length > 0 ? ['Found beside the file:', ...offers] : []),
    ...(wantsProposer ? varied : []),
  ].join('\n');
}
