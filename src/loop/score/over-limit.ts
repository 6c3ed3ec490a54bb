import type { ResourceLimits } from '../../records.ts';
import { bytesInWords } from '../bytes.ts';

/** Which of the limits was reached. */
export type Exceeded = 'memory' | 'processes' | 'cpu' | 'file-size';

/** One sentence on a run that reached a limit. */
export function overLimit(exceeded: Exceeded, { memoryBytes = NaN, processes = NaN, cpuS = NaN, fileBytes = NaN }: ResourceLimits): string {
  switch (exceeded) {
    case 'memory':
      return `It used more than ${bytesInWords(memoryBytes)} of memory, the limit.`;
    case 'processes':
      return `It started more than ${processes} processes, the limit.`;
    case 'cpu':
      return `One of its processes used more than ${cpuS} s of processor time, the limit.`;
    case 'file-size':
      return `It wrote a file of more than ${bytesInWords(fileBytes)}, the limit.`;
  }
}
