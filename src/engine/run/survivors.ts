const MOST_SHOWN = 10;

/** Says which processes of a run are still there after all that was tried; undefined where none is. */
export function survivorsSentence(survivors: readonly number[], attempt: number): string | undefined {
  if (survivors.length === 0) return undefined;
  const shown = survivors.slice(0, MOST_SHOWN).join(', ');
  const more = survivors.length > MOST_SHOWN ? ` and ${survivors.length - MOST_SHOWN} more` : '';
  return `Attempt ${attempt} left processes that could not be ended (${shown}${more}): what is measured from here on shares the machine with them.`;
}
