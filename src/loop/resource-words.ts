import type { ResourceLimits } from '../records.ts';
import { bytesInWords } from './bytes.ts';

/** What one run of the scorer may use, for a line of the start page: "12.5 GB of memory, 1000 processes". Empty where nothing is limited. */
export function resourceWords({ memoryBytes, processes, cpuS, fileBytes }: ResourceLimits): string {
  return [
    memoryBytes === undefined ? '' : `${bytesInWords(memoryBytes)} of memory`,
    processes === undefined ? '' : `${processes} processes`,
    cpuS === undefined ? '' : `${cpuS} s of processor time for each`,
    fileBytes === undefined ? '' : `files of ${bytesInWords(fileBytes)}`,
  ].filter((part) => part !== '').join(', ');
}
